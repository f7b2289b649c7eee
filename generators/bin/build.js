// Builds the package into dist/: the declarations of the compiler, its JavaScript bundled, both with maps that lead to the
// sources, and every file that is not TypeScript.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { record, sourcesDigest, sourcesState } from "./built.js";
import { bundle, publishedFiles } from "./bundle.js";
import { copyDeclarations } from "./declarations.js";
import { writeIcons } from "./icons.js";
import { writeLibraries, writeStyles } from "./styles.js";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const target = join(root, "dist");
const staging = join(root, `dist.${process.pid}.tmp`);
const compiled = join(root, `dist.${process.pid}.js.tmp`);
const former = join(root, `dist.${process.pid}.old.tmp`);
const EXCLUDED = new Set([
  "fw.js",
  "built.js",
  "build.js",
  "bundle.js",
  "declarations.js",
  "styles.js",
  "icons.js",
  "README.md",
]);

/** Copies the files of a folder whose names `isWanted` accepts, without packages of their own, as create-framewright. */
function copyFiles(from, to, isWanted) {
  if (existsSync(join(from, "package.json"))) return;
  for (const entry of existsSync(from) ? readdirSync(from, { withFileTypes: true }) : []) {
    const path = join(from, entry.name);
    if (entry.isDirectory()) copyFiles(path, join(to, entry.name), isWanted);
    else if (isWanted(entry.name)) {
      mkdirSync(to, { recursive: true });
      copyFileSync(path, join(to, entry.name));
    }
  }
}

/** What browsers load goes without comments and spaces: a third less, for the package and for a first visit. */
function minifyClient(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/[\\/]client[\\/][^\\/]+\.(js|css)$/.test(name)) continue;
    const file = join(folder, name);
    writeFileSync(
      file,
      transformSync(readFileSync(file, "utf8"), { loader: extname(name).slice(1), minify: true }).code,
    );
  }
}

/** The reference as one file, for programs that read it: in the order of its index. */
function wholeReference() {
  const folder = join(root, "docs", "reference");
  const index = readFileSync(join(folder, "README.md"), "utf8");
  const names = [...index.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(([, name]) => name);
  const pages = names.filter((name) => name !== "rodauth.md");
  const text = pages.map((name) => readFileSync(join(folder, name), "utf8").trimEnd()).join("\n\n");
  return `${text.replaceAll(/\]\((?!#|[a-z]+:)/g, "](../docs/reference/")}\n`;
}

const isAsset = (name) => !name.endsWith(".ts") && !EXCLUDED.has(name);
const layers = ["kernel", "host", "plugins", "generators"];

const [sources, state] = [sourcesDigest(), sourcesState()]; // before compiling, so that an edit during the build makes it stale
for (const folder of [staging, compiled]) rmSync(folder, { recursive: true, force: true });
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
/** Runs the compiler with these options. Returns its exit code. */
async function compile(...options) {
  const args = [compiler, "-p", "tsconfig.build.json", "--outDir", compiled, ...options];
  const [code] = await once(spawn(process.execPath, args, { cwd: root, stdio: "inherit" }), "close");
  return code ?? 1;
}
// Comments belong into the declarations, where editors show them.
const codes = await Promise.all([
  compile("--emitDeclarationOnly", "--declarationMap"),
  compile("--noCheck", "--declaration", "false", "--removeComments", "--sourceMap"),
]);
if (codes.some((code) => code !== 0) && !process.argv.includes("--despite-errors")) {
  rmSync(compiled, { recursive: true, force: true });
  process.exit(1);
}
for (const layer of layers) copyFiles(join(root, layer), join(compiled, layer), isAsset); // some are imported
const published = publishedFiles(compiled, JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports);
await bundle(compiled, staging, published);
copyDeclarations(compiled, staging, published.values());
for (const layer of layers) copyFiles(join(root, layer), join(staging, layer), isAsset);
await writeStyles(root, staging);
writeLibraries(staging);
minifyClient(staging);
writeIcons(root, staging);
writeFileSync(join(staging, "reference.md"), wholeReference());
writeFileSync(join(staging, record), `${JSON.stringify({ sources, state })}\n`);
rmSync(compiled, { recursive: true, force: true });
if (existsSync(target)) renameSync(target, former); // a process that starts sees either the old or the new build
renameSync(staging, target);
rmSync(former, { recursive: true, force: true });
