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
  const attached = isRecord ? wordsOfRecords(root) : new Map([list]);
  if (texts.every((text) => isKnownWord(text) || attached.has(splitField(text).word))) return attached;
  const plugins = await applicationPlugins(root);
  const { Application, readSettings } = await import("framewright/host");
  const application = new Application(readSettings({ root }), { root });
  const words = new Map<string, FieldWord>();
  await application.withPlugins(plugins, () => {
    if (!application.kernel.has("resources")) return;
    for (const [name, { scaffold, column, sample, needsChoices, isList }] of application.kernel
      .service("resources")
      .fieldTypes.entries()) {
      const value = sample();
      const code = value === undefined ? undefined : JSON.stringify(value);
      const choices = needsChoices ? (isList ? "several" : "one") : undefined;
      const word = { type: column.type as ColumnType, size: column.size ?? [], sample: code };
      if (scaffold) words.set(name, { ...word, ...(choices ? { choices } : {}) });
    }
  });
  return new Map([...words, ...attached]);
}

/** Rows in a json column, of which an interaction has a value and a record a column. */
const list: readonly [string, FieldWord] = ["list", { type: "json", size: [], sample: undefined, isList: true }];

/** The words of attachments() and nestedRecords(), where plugins.config.ts lists them. */
function wordsOfRecords(root: string): ReadonlyMap<string, FieldWord> {
  const path = join(root, "plugins.config.ts");
  const plugins = existsSync(path) ? readPluginList(readFileSync(path, "utf8")) : undefined;
  const word = (name: (typeof attachedWords)[number]) =>
    [name, { type: "json", size: [], sample: undefined, attached: name }] as const;
  const attached = plugins?.lists("attachments") === true ? attachedWords.map(word) : [];
  return new Map([...attached, ...(plugins?.lists("nestedRecords") === true ? [list] : [])]);
}
