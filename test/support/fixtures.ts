import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

const folder = join(import.meta.dirname, "../fixtures/apps");
/** What only the compiler reads; `writeApp` writes a package.json of its own. */
const forCompiler = ["package.json", "tsconfig.json", join("db", "types.d.ts")];

/** The files of an application in `test/fixtures/apps`, by path: `writeApp(copyFixture("shop"))` writes it into a folder. */
export function copyFixture(name: string): Record<string, string> {
  const root = join(folder, name);
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const files = paths.filter((path) => !forCompiler.includes(path)).sort();
  return Object.fromEntries(files.map((path) => [path.replaceAll(sep, "/"), readFileSync(join(root, path), "utf8")]));
}

/** A text that stands once in a file, or a pattern (with the flag `g` for every match), and what replaces it. */
export type Edit = readonly [from: string | RegExp, to: string];

/** The text of one of the files with parts replaced. @throws Error when a part is absent, or a text is there more than once */
export function edited(files: Readonly<Record<string, string>>, path: string, ...edits: readonly Edit[]): string {
  const text = files[path];
  if (text === undefined)
    throw new Error(`there is no file ${path} to edit; there are ${Object.keys(files).join(", ")}`);
  return edits.reduce((before, edit) => replaceIn(path, before, edit), text);
}

/** As `edited`, of a text that a test composes. */
export const editedText = (text: string, ...edits: readonly Edit[]): string =>
  edits.reduce((before, edit) => replaceIn(`"${text.slice(0, 60)}…"`, before, edit), text);

/** A `plugins.config.ts` with a plugin more, before `resources()`: `withPlugin(config, "savedViews()", "saved_views")`. */
export const withPlugin = (config: string, call: string, folder: string): string =>
  editedText(
    config,
    [/^import /, `import { ${call.slice(0, call.indexOf("("))} } from "framewright/plugins/${folder}";\nimport `],
    [/(?<=\s|\[)resources\(/, `${call}, resources(`],
  );

function replaceIn(name: string, text: string, [from, to]: Edit): string {
  const shown = typeof from === "string" ? JSON.stringify(from) : String(from);
  const parts = text.split(from);
  if (parts.length === 1) throw new Error(`${name} does not contain ${shown}, which a test replaces`);
  if (typeof from !== "string") return text.replace(from, to);
  if (parts.length > 2)
    throw new Error(`${name} contains ${shown} ${parts.length - 1} times: replace a longer text, or a pattern`);
  return parts.join(to);
}
