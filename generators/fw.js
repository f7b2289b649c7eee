#!/usr/bin/env node
// The `fw` command: the built framework when it is up to date, else its TypeScript source.
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const built = join(root, "dist", "generators", "main.js");

function newest(directory) {
  let latest = 0;
  for (const entry of existsSync(directory) ? readdirSync(directory, { withFileTypes: true }) : []) {
    const path = join(directory, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs);
  }
  return latest;
}

function isBuilt() {
  if (!existsSync(built)) return false;
  const time = statSync(built).mtimeMs;
  return ["kernel", "host", "plugins", "generators"].every((room) => newest(join(root, room)) <= time);
}

if (isBuilt()) await import(pathToFileURL(built).href);
else {
  const { register } = await import("tsx/esm/api");
  const { addConditions } = await import("./conditions.js");
  process.env.FW_SOURCE = "1"; // child processes and application loading take the source as well
  register();
  addConditions({ framework: true });
  await import("./main.ts");
}
