import type { GeneratorContext } from "framewright/generators";
import { tableize } from "framewright/host/inflection";
import { filesOf, hasStatic, resourceOf } from "../../../../generators/toolkit/index.ts";
import { inputLine, type Linkable, staticLine } from "../fields/code.ts";
import { idDefault, type KeyField } from "../fields/keys.ts";
import { entryLists, modelParts } from "../fields/model_parts.ts";

/** What a migration with fields is about. */
export interface Migrated {
  table: string;
  constant: string;
  fields: readonly Linkable[];
  key: KeyField | undefined;
  isNew: boolean;
}

/** Prints what the fields of a migration are in the model and the definition, which it leaves alone. */
export function noteModel(
  { app, note }: Pick<GeneratorContext, "app" | "note">,
  { table, constant, fields, key, isNew }: Migrated,
): void {
  const model = app.models().find((one) => tableize(one.constant) === table);
  const text = model ? app.read(model.path) : "";
  const id = idDefault(key);
  const lines = missingFrom(text, fields);
  if (id !== undefined && !hasMember(text, "defaults"))
    lines.unshift('import { randomBytes } from "node:crypto";', staticLine("defaults", [`id: ${id}`]));
  if (lines.length > 0) {
    const place = model ? `Add to ${model.path}` : `The model of ${table} has`;
    const other = isNew ? "fw:model writes both" : "fw:res:field writes both";
    note(`\nThis is the table alone; ${other}. ${place}:\n${lines.join("\n")}`);
  }
  const definition = filesOf(resourceOf(constant), model?.package).definition;
  if (!app.has(definition)) return;
  const inputs = fields
    .flatMap((field) => inputLine(field) ?? [])
    .filter((line) => !app.read(definition).includes(line));
  if (inputs.length > 0) note(`\nAdd to configure() of ${definition}:\n    ${inputs.join("\n    ")}`);
}

const hasMember = (text: string, name: string): boolean => new RegExp(`\\bstatic (?:override )?${name}\\b`).test(text);

/** The statics that a model's text lacks. */
function missingFrom(text: string, fields: readonly Linkable[]): string[] {
  const parts = modelParts(fields);
  const address = parts.address
    .filter(({ name }) => !hasMember(text, name))
    .map(({ name, code }) => `  static override ${name} = ${code};`);
  const lists = entryLists.flatMap((list) => {
    const entries = parts[list].filter(({ name }) => !hasStatic(text, list, name));
    return entries.length > 0
      ? [
          staticLine(
            list,
            entries.map(({ name, code }) => `${name}: ${code}`),
          ),
        ]
      : [];
  });
  return [...address, ...lists];
}
