import { errors } from "../errors.ts";

/**
 * What a model declares for a plugin, as `static states = …`: the slot without which nothing acts on it, and the plugin's line.
 * Its class may be a key of the hooks of changes, for the models that declare one.
 */
export interface DeclaredForPlugin {
  readonly neededPlugin: { readonly slot: string; readonly line: string; readonly module: string };
  /** The column that the plugin writes in each new record: generated tests send nothing for it. */
  readonly fills?: string;
}

/** What a class of models declares for plugins, by name. */
export const declaredForPlugins = (cls: object): [name: string, value: DeclaredForPlugin][] =>
  Object.entries(cls).filter((entry): entry is [string, DeclaredForPlugin] => isDeclared(entry[1]));
const isDeclared = (value: unknown): boolean => typeof value === "object" && value !== null && "neededPlugin" in value;

/** What a model declares for a plugin by a plain value: `static softDelete = true`. */
const flags = { softDelete: { slot: "trash", line: "trash()", module: "framewright/plugins/trash" } } as const;

/** @throws FW_MODEL_PLUGIN where a model declares what no plugin of the application acts on */
export function checkNeededPlugins(
  models: readonly { readonly class: object; readonly constant: string }[],
  has: (slot: string) => boolean,
): void {
  for (const { class: cls, constant } of models) {
    for (const [name, { neededPlugin }] of declaredForPlugins(cls))
      if (!has(neededPlugin.slot)) throw errors.FW_MODEL_PLUGIN(constant, name, neededPlugin.line, neededPlugin.module);
    for (const [name, { slot, line, module }] of Object.entries(flags))
      if ((cls as Record<string, unknown>)[name] && !has(slot))
        throw errors.FW_MODEL_PLUGIN(constant, name, line, module);
  }
}
