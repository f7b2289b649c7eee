import type { Disk } from "flydrive";

const FOLDER = "staged";
const HOUR_MS = 3_600_000;
/** A temporary file is there for at least so long after it was put. */
const HOURS_KEPT = 6;

/** The folder of the temporary files of this hour: `staged/498123`. */
export const temporaryFolder = (): string => `${FOLDER}/${hourNow()}`;
const hourNow = (): number => Math.floor(Date.now() / HOUR_MS);

/** Deletes the temporary files of hours that are over, when the hour is another one than at the last time. */
export class TemporaryFiles {
  #sweptAt = 0;

  async sweep(disk: Disk): Promise<void> {
    const now = hourNow();
    if (this.#sweptAt === now) return;
    this.#sweptAt = now;
    for (const folder of await foldersOf(disk))
      if (Number(folder.slice(FOLDER.length + 1)) < now - HOURS_KEPT) await disk.deleteAll(folder);
  }
}

async function foldersOf(disk: Disk): Promise<string[]> {
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
