// Whether dist/ is what the sources say.
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const entry = join(root, "dist", "generators", "main.js");

function newest(directory) {
  let latest = 0;
  for (const item of existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : []) {
    const path = join(directory, item.name);
    latest = Math.max(latest, item.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

export function isBuilt() {
  if (!existsSync(entry)) return false;
  const time = statSync(entry).mtimeMs;
  return ["kernel", "host", "plugins", "generators"].every((room) => newest(join(root, room)) <= time);
}
