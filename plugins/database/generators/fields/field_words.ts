import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { applicationPlugins, readPluginList } from "../../../../generators/toolkit/index.ts";
import { attachedWords, type ColumnType, type FieldWord } from "./field.ts";
import { splitField } from "./field_grammar.ts";
import { isKnownWord } from "./fields.ts";

/**
 * The words for fields that the application's plugins add, as `tint:colour`; the plugins are opened where a field has a
 * word that the framework does not know. `isRecord`: the fields are of a record, which may have files.
 */
export async function fieldWords(
  root: string,
  texts: readonly string[],
  { isRecord = false } = {},
): Promise<ReadonlyMap<string, FieldWord>> {
  const attached = isRecord ? attachedOf(root) : noWords;
  if (texts.every((text) => isKnownWord(text) || attached.has(splitField(text).word))) return attached;
  const plugins = await applicationPlugins(root);
  const { Application, readSettings } = await import("framewright/host");
  const application = new Application(readSettings({ root }), { root });
  const words = new Map<string, FieldWord>();
  await application.withPlugins(plugins, () => {
    if (!application.kernel.has("resources")) return;
    for (const [name, { scaffold, column, sample }] of application.kernel.service("resources").fieldTypes.entries()) {
      const value = sample();
      const code = value === undefined ? undefined : JSON.stringify(value);
      if (scaffold) words.set(name, { type: column.type as ColumnType, size: column.size ?? [], sample: code });
    }
  });
  return new Map([...words, ...attached]);
}

const noWords: ReadonlyMap<string, FieldWord> = new Map();

/** The words of attachments(), where plugins.config.ts lists it. */
function attachedOf(root: string): ReadonlyMap<string, FieldWord> {
  const path = join(root, "plugins.config.ts");
  const isListed = existsSync(path) && readPluginList(readFileSync(path, "utf8"))?.lists("attachments") === true;
  const word = (name: (typeof attachedWords)[number]) =>
    [name, { type: "json", size: [], sample: undefined, attached: name }] as const;
  return new Map(isListed ? attachedWords.map(word) : []);
}
