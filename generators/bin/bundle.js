// Joins the compiled modules of the package into one file for each published entry, and shared chunks: Node takes about
// half a millisecond to load a module, and there are 500.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";

const OWN_PLACE = /import\.meta\.(dirname|filename|url)/g;
/** `#place` of package.json: where a module's file would be in dist/ if it had not been joined with others. */
const PLACE = `import { join } from "node:path";
import { pathToFileURL } from "node:url";
export const filename = (file) => join(import.meta.dirname, file);
export const dirname = filename;
export const url = (file) => pathToFileURL(filename(file)).href;
`;

const COMMAND = "generators/bin/main.js";

/** The files that `exports` of package.json names, each by its subpath, without "dist/". A `*` is each plugin or suite. */
export function publishedFiles(compiled, exports) {
  const files = new Map();
  for (const [subpath, { default: target }] of Object.entries(exports)) {
    const [before, after] = target?.replace("./dist/", "").split("*") ?? [];
    if (before === undefined) continue; // package.json itself
    if (after === undefined) files.set(subpath, before);
    else
      for (const entry of readdirSync(join(compiled, before))) {
        const name = after.startsWith("/") ? entry : entry.slice(0, -after.length);
        const file = `${before}${name}${after}`;
        if (existsSync(join(compiled, file))) files.set(subpath.replace("*", name), file);
      }
  }
  return files;
}

/** Bundles the published files of `compiled` into `target`, where every module still finds the files that lie beside its source. */
export async function bundle(compiled, target, published) {
  const modules = {
    name: "framewright",
    setup(setup) {
      setup.onResolve({ filter: /^framewright(\/|$)/ }, ({ path }) => {
        const file = published.get(path.replace("framewright", "."));
        return file ? { path: join(compiled, file) } : { errors: [{ text: `package.json does not export ${path}` }] };
      });
      setup.onLoad({ filter: /\.js$/ }, ({ path }) => {
        const file = relative(compiled, path);
        if (file.startsWith("..")) return undefined;
        const code = withMap(compiled, path, readFileSync(path, "utf8"));
        if (!code.includes("import.meta.")) return { contents: code, loader: "js" };
        const own = (_, kind) => `place_.${kind}(${JSON.stringify(kind === "dirname" ? dirname(file) : file)})`;
        const contents = `import * as place_ from "#place"; ${code.replace(OWN_PLACE, own)}`; // no line moves
        return { contents, loader: "js" };
      });
    },
  };
  await build({
    entryPoints: [COMMAND, ...published.values()].map((file) => join(compiled, file)),
    absWorkingDir: compiled, // so that what is built depends on the sources alone
    outbase: compiled,
    charset: "ascii", // with any other character, a file would take twice the memory
    outdir: target,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: "linked",
    sourcesContent: false, // the sources are in the package
    external: ["#place"],
    chunkNames: "chunks/[name]-[hash]",
    logLevel: "warning",
    plugins: [modules],
  });
  writeFileSync(join(target, "place.js"), PLACE);
}

/**
 * What is JavaScript in the sources was copied to be bundled: its lines lead to where it was copied from. No path has the name of
 * the folder of this build, or each build would name its chunks otherwise.
 */
function withMap(compiled, path, code) {
  if (/^\/\/# sourceMappingURL=/m.test(code)) return code;
  const source = relative(dirname(path), join(dirname(compiled), relative(compiled, path)));
  const mappings = code.replace(/[^\n]/g, "").replaceAll("\n", ";AACA");
  const map = JSON.stringify({ version: 3, sources: [source], names: [], mappings: `AAAA${mappings}` });
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}\n`;
}
