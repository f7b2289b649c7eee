// The style sheet of Tabler with what the pages of the package use: a tenth of it, for a first visit on a phone.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PurgeCSS } from "purgecss";

const { resolve } = createRequire(import.meta.url);
/** What draws pages: templates, code and what runs in browsers. */
const DRAWS = /\.(liquid|ts|js)$/;

/** Writes `tabler.css` and `tom-select.css` beside the other files that browsers load. `root` is the folder of the sources. */
export async function writeStyles(root, staging) {
  const folder = join(dirname(resolve("@tabler/core/package.json")), "dist/css");
  const content = ["kernel", "host", "plugins", "generators"].flatMap((layer) => sourcesBelow(join(root, layer)));
  const client = join(staging, "plugins/assets/client");
  const write = async (name, file, drawing = content) => {
    const raw = readFileSync(file, "utf8");
    const [used] = await new PurgeCSS().purge({
      ...{ content: drawing, css: [{ raw }], variables: true, keyframes: true, fontFace: true },
    });
    writeFileSync(join(client, name), used.css);
  };
  for (const direction of ["", ".rtl"])
    await write(`tabler${direction}.css`, join(folder, `tabler${direction}.min.css`));
  const select = join(dirname(resolve("tom-select")), "..");
  const script = join(select, "js/tom-select.base.min.js");
  await write("tom-select.css", join(select, "css/tom-select.bootstrap5.min.css"), [...content, script]);
}

/** Writes the script of Turbo without its comments and spaces, which is a third less for a first visit. */
export function writeLibraries(staging) {
  const file = join(dirname(resolve("@hotwired/turbo")), "turbo.es2017-umd.js");
  copyFileSync(file, join(staging, "plugins/assets/client/turbo.js"));
}

const sourcesBelow = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => DRAWS.test(name))
        .map((name) => join(folder, name))
    : [];
