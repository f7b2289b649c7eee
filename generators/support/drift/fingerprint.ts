import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Generator } from "../../generator.ts";

/** Changes when a generator may write another text: its templates, the code in its folder, or the version of its package differ. */
export function fingerprint({ directory }: Generator): string {
  const hash = createHash("sha256").update(packageVersion(directory));
  const add = (folder: string, isCode: (name: string) => boolean) => {
    const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && folder !== directory) add(path, isCode);
      else if (entry.isFile() && isCode(entry.name))
        hash.update(`\0${entry.name}\0`).update(readFileSync(path, "utf8").replaceAll("\r\n", "\n"));
    }
  };
  add(directory, (name) => /\.(ts|js|mjs|liquid)$/.test(name));
  add(join(directory, "templates"), () => true);
  return hash.digest("hex").slice(0, 16);
}

export const fingerprintsOf = (generators: Iterable<Generator>): Record<string, string> =>
  Object.fromEntries([...generators].map((generator) => [generator.name, fingerprint(generator)] as const).sort());

function packageVersion(directory: string): string {
  for (let at = directory; ; at = dirname(at)) {
    const path = join(at, "package.json");
    if (existsSync(path)) return (JSON.parse(readFileSync(path, "utf8")) as { version?: string }).version ?? "";
    if (at === dirname(at)) return "";
  }
}
