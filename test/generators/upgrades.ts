import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assert } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, type Ran, runFw, temporaryFolder, typeCheck } from "./support.ts";

/**
 * plugins.config.ts with its record, from before `resources()` was opened into plugins: as `fw new` wrote it, and as
 * `fw:saved_views:install` and `fw:deletions:install` left it.
 */
export const fixture = join(import.meta.dirname, "fixtures/before");
export const CONFIG = "plugins.config.ts";

export const nine = [
  "search",
  "shortcuts",
  "density",
  "filters",
  "bulkActions",
  "summaries",
  "inlineEditing",
  "reorder",
  "exports",
];
const folders: Record<string, string> = {
  bulkActions: "bulk_actions",
  inlineEditing: "inline_editing",
  backgroundRuns: "background_runs",
};
export const lines = (names: readonly string[]) => names.map((name) => `  ${name}(),\n`).join("");
export const importsOf = (names: readonly string[]) =>
  names.map((name) => `import { ${name} } from "framewright/plugins/${folders[name] ?? name}";\n`).join("");

/** A short list of plugins that boots. */
export const base = ["database", "i18n", "sessions", "views", "layout", "assets", "portals"];
export const listOf = (resources: string, before = "", more = ""): string =>
  `import { definePlugins } from "framewright";\n${importsOf([...base, "resources"])}${before}
export default definePlugins([\n${lines(base)}  ${resources},\n${more}]);\n`;

/** Its comments come by a merge. */
export const withoutComments = (text: string) => text.replaceAll(/^\s*\/\/.*\n|\/\*\*[\s\S]*?\*\/\n/gm, "");

export interface Note {
  capability: string;
  file: string;
  line: number;
  text: string;
}
export interface Report {
  written: string[];
  rewritten: Note[];
  left: Note[];
  diff?: string;
}

/** The application of `fw new`, once it is made, and its list. */
export const made = { folder: "", list: "" };
export async function makeApplication(): Promise<void> {
  await ensureBuilt();
  made.folder = await newApp();
  made.list = readFileSync(join(made.folder, CONFIG), "utf8");
}
/** An application of an earlier release, whose files are these. */
export const application = (files: Record<string, string> = {}, from = "new"): string => {
  const app = join(temporaryFolder(), "shop");
  cpSync(made.folder, app, { recursive: true });
  cpSync(join(fixture, from, CONFIG), join(app, CONFIG));
  cpSync(join(fixture, from, `${CONFIG}.json`), join(app, `.framewright/generated/${CONFIG}.json`));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), text);
  }
  return app;
};
export const read = (app: string, path = CONFIG) => readFileSync(join(app, path), "utf8");
export const listed = (text: string): string =>
  text.slice(text.indexOf("definePlugins([") + "definePlugins([".length, text.lastIndexOf("])"));
export const upgraded = async (files: Record<string, string>): Promise<{ app: string; text: string; ran: Ran }> => {
  const app = application(files);
  const ran = await runFw(app, "upgrade");
  return { app, text: read(app), ran };
};
export const boots = async (app: string) => {
  await fwOk(app, "plugins", "--json");
  const { code, out } = await typeCheck(app);
  assert.is(code, 0, out);
};
