// Whether this package runs from dist/: always in an installed package; in a clone, when dist/ was built from the current sources.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folders = ["kernel", "host", "plugins", "generators"];
export const entry = join(root, "dist", "generators", "bin", "main.js");
/** Written by build.js: the digest of the sources. */
export const record = "build.json";

function addFiles(hash, directory) {
  const items = existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : [];
  for (const item of items.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(directory, item.name);
    if (item.isDirectory()) addFiles(hash, path);
    else if (!item.name.endsWith(".md")) hash.update(item.name).update("\0").update(readFileSync(path)).update("\0");
  }
}

/** A digest of the source files; undefined in an installed package. Not by modification times, which installers set. */
export function sourcesDigest() {
  if (!existsSync(join(root, "test", "support", "run.ts"))) return undefined;
  const hash = createHash("sha256");
  for (const folder of folders) addFiles(hash, join(root, folder));
  return hash.digest("hex");
}

export function isBuilt() {
  const path = join(root, "dist", record);
  if (!existsSync(path)) return false;
  const sources = sourcesDigest();
  return sources === undefined || JSON.parse(readFileSync(path, "utf8")).sources === sources;
}
