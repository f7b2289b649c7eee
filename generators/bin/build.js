// Builds the package into dist/: one run of the compiler, then a copy of every file that is not TypeScript.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { record, sourcesDigest } from "./built.js";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const target = join(root, "dist");
const staging = join(root, `dist.${process.pid}.tmp`);
const former = join(root, `dist.${process.pid}.old.tmp`);
const EXCLUDED = new Set(["fw.js", "built.js", "build.js", "README.md"]);

function copyAssets(directory) {
  const from = join(root, directory);
  for (const entry of existsSync(from) ? readdirSync(from, { withFileTypes: true }) : []) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) copyAssets(path);
    else if (!entry.name.endsWith(".ts") && !EXCLUDED.has(entry.name)) {
      mkdirSync(join(staging, directory), { recursive: true });
      copyFileSync(join(root, path), join(staging, path));
    }
  }
}

const sources = sourcesDigest(); // before compiling, so that an edit during the build makes it stale
rmSync(staging, { recursive: true, force: true });
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
const compiled = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json", "--outDir", staging], {
  cwd: root,
  stdio: "inherit",
});
if (compiled.status !== 0 && !process.argv.includes("--despite-errors")) {
  rmSync(staging, { recursive: true, force: true });
  process.exit(compiled.status ?? 1);
}
for (const layer of ["kernel", "host", "plugins", "generators"]) copyAssets(layer);
writeFileSync(join(staging, record), `${JSON.stringify({ sources })}\n`);
if (existsSync(target)) renameSync(target, former); // a process that runs from dist/ sees either the old or the new build
renameSync(staging, target);
rmSync(former, { recursive: true, force: true });
