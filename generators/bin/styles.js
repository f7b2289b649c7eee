// The style sheet of Tabler with what the pages of the package use: a tenth of it, for a first visit on a phone.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PurgeCSS } from "purgecss";

const { resolve } = createRequire(import.meta.url);
/** What draws pages: templates, code and what runs in browsers. */
const DRAWS = /\.(liquid|ts|js)$/;

/** What browsers do without; no string of the style sheet has such signs. */
const COMMENT = /\/\*.*?\*\/\s*/gs;

/** Writes `tabler.css` beside the other files that browsers load, and the own style sheet without comments. `root` is the folder of the sources. */
export async function writeStyles(root, staging) {
  const folder = join(dirname(resolve("@tabler/core/package.json")), "dist/css");
  const content = ["kernel", "host", "plugins", "generators"].flatMap((layer) => sourcesBelow(join(root, layer)));
  for (const direction of ["", ".rtl"]) {
    const whole = readFileSync(join(folder, `tabler${direction}.min.css`), "utf8");
    const [used] = await new PurgeCSS().purge({
      content,
      css: [{ raw: whole }],
      variables: true,
      keyframes: true,
      fontFace: true,
    });
    writeFileSync(join(staging, `plugins/assets/client/tabler${direction}.css`), used.css);
  }
  const own = "plugins/assets/client/framewright.css";
  writeFileSync(join(staging, own), readFileSync(join(root, own), "utf8").replace(COMMENT, ""));
}

const sourcesBelow = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => DRAWS.test(name))
        .map((name) => join(folder, name))
    : [];
