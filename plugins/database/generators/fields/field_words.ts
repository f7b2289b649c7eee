import { applicationPlugins } from "../../../../generators/toolkit/index.ts";
import type { ColumnType, FieldWord } from "./field.ts";
import { isKnownWord } from "./fields.ts";

/**
 * The words for fields that the application's plugins add, as `tint:colour`; the plugins are opened where a field has a
 * word that the framework does not know.
 */
export async function fieldWords(root: string, texts: readonly string[]): Promise<ReadonlyMap<string, FieldWord>> {
  if (texts.every(isKnownWord)) return new Map();
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
  return words;
}
