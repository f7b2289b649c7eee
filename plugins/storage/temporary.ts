import type { Disk } from "flydrive";

const FOLDER = "staged";
const HOUR_MS = 3_600_000;
/** The minimum lifetime of a temporary file, unless it is to be longer. */
const HOURS_KEPT = 6;

/** The folder of temporary files that are retained so many hours from now on: `staged/498123`; it is later for a longer time. */
export const temporaryFolder = (hours = HOURS_KEPT): string =>
  `${FOLDER}/${currentHour() + Math.max(0, Math.ceil(hours) - HOURS_KEPT)}`;
const currentHour = (): number => Math.floor(Date.now() / HOUR_MS);

/** Deletes the folders of expired hours, at most once per hour. */
export class TemporaryFiles {
  #sweptAt = 0;

  async sweep(disk: Disk): Promise<void> {
    const now = currentHour();
    if (this.#sweptAt === now) return;
    this.#sweptAt = now;
    for (const folder of await temporaryFolders(disk))
      if (Number(folder.slice(FOLDER.length + 1)) < now - HOURS_KEPT) await disk.deleteAll(folder);
  }
}

async function temporaryFolders(disk: Disk): Promise<string[]> {
  const found: string[] = [];
  let paginationToken: string | undefined;
  do {
    const page = await disk.listAll(`${FOLDER}/`, { ...(paginationToken ? { paginationToken } : {}) });
    for (const one of page.objects) {
      const prefix = "prefix" in one ? one.prefix.replace(/\/$/, "") : "";
      if (/^staged\/\d+$/.test(prefix)) found.push(prefix);
    }
    ({ paginationToken } = page);
  } while (paginationToken);
  return found;
}
