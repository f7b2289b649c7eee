import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const options = { loader: "ts", format: "esm", target: "node20", sourcemap: "inline", sourcesContent: false };
const cache = join(process.env.FW_TEST_CACHE ?? tmpdir(), `framewright-tests-${process.getuid?.() ?? ""}`);
mkdirSync(cache, { recursive: true, mode: 0o700 });
const require = createRequire(import.meta.url);

const root = new URL("../../", import.meta.url).href;

const built = `${root}dist/`;
/** A file beside another, of an application or of what is built: most imports by far, which need no search. */
const neighbour = /^\.{1,2}\/[^?#%]*\.(?:ts|js)$/;

/** Node's hook: a package among the examples finds the framework as one that is installed beside it would. */
export function resolve(specifier, context, next) {
  const { parentURL = "" } = context;
  if (neighbour.test(specifier) && parentURL.startsWith("file:")) {
    const url = new URL(specifier, parentURL);
    const isModule = specifier.endsWith(".ts") || url.href.startsWith(built);
    if (isModule && existsSync(url)) return { url: url.href, format: "module", shortCircuit: true };
  }
  const isExample = parentURL.startsWith(`${root}test/examples/`) && /^framewright(?:\/|$)/.test(specifier);
  return next(specifier, isExample ? { ...context, parentURL: root } : context);
}

/** Node's hook: a TypeScript file as JavaScript, kept by its text for the next process. */
export function load(url, context, next) {
  if (!/^file:.*\.ts(?:\?|$)/.test(url)) return next(url, context);
  const file = fileURLToPath(url.split("?", 1)[0]);
  return { format: "module", shortCircuit: true, source: compiled(file, readFileSync(file, "utf8")) };
}

/**
 * By its name and text alone, wherever it is: applications of tests are the same files in a new folder each time. A source
 * map names its source beside the file, so that traces lead there.
 */
function compiled(file, text) {
  const name = basename(file);
  const kept = join(cache, `${createHash("sha256").update(`${name}\n${text}`).digest("hex")}.js`);
  try {
    return readFileSync(kept, "utf8");
  } catch {
    const { code } = require("esbuild").transformSync(text, { ...options, sourcefile: name });
    const own = `${kept}.${process.pid}`;
    writeFileSync(own, code);
    renameSync(own, kept); // several processes may write it at once
    return code;
  }
}
