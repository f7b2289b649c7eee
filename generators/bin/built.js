// Whether this package runs from dist/: always in an installed package; in a clone, when dist/ was built from the current sources.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folders = ["kernel", "host", "plugins", "generators"];
export const entry = join(root, "dist", "generators", "bin", "main.js");
/** Written by build.js: what `sourcesDigest` and `sourcesState` were before it compiled. */
export const record = "build.json";

function filesIn(directory, found = []) {
  for (const item of existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : []) {
    const path = `${directory}/${item.name}`;
    if (item.isDirectory()) filesIn(path, found);
    else if (!item.name.endsWith(".md")) found.push(path);
  }
  return found;
}
function digest(contentOf) {
  if (!existsSync(join(root, "test", "support", "run.ts"))) return undefined;
  const files = folders.flatMap((folder) => filesIn(join(root, folder))).sort();
  const texts = files.map((path) => `${path.slice(root.length)}\0${contentOf(path)}`);
  return createHash("sha256").update(texts.join("\0")).digest("hex");
}

/** A digest of the source files; undefined in an installed package. Not by modification times, which installers set. */
export const sourcesDigest = () => digest((path) => readFileSync(path, "latin1"));

/** A digest of their sizes and times: as long as it is the same, the contents need not be read. */
export const sourcesState = () =>
  digest((path) => {
    const { size, mtimeMs, ctimeMs } = statSync(path);
    return `${size} ${mtimeMs} ${ctimeMs}`;
  });

export function isBuilt() {
  const path = join(root, "dist", record);
  if (!existsSync(path)) return false;
  const state = sourcesState();
  if (state === undefined) return true;
  const built = JSON.parse(readFileSync(path, "utf8"));
  return built.state === state || built.sources === sourcesDigest();
}
