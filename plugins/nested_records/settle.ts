import type { ModelInfo } from "framewright/plugins/database";
import { isRequired } from "framewright/plugins/fields";
import { type FieldSpec, type RowFields, settleTexts } from "framewright/plugins/fields/rows";
import type {
  DefinitionPlace,
  ResourceDefinition,
  ResourceInputOptions,
  Resources,
} from "framewright/plugins/resources";
import {
  type Declaration,
  declarationsOf,
  type GroupOptions,
  type RowsOptions,
  type VirtualOptions,
} from "./declarations.ts";
import { documentHandler } from "./documents/handler.ts";
import { specsOf } from "./documents/specs.ts";
import { errors } from "./errors.ts";
import { recordRowsHandler } from "./records/handler.ts";
import { recordRowsOf } from "./records/record_rows.ts";
import { virtualHandler } from "./virtual.ts";

type Types = Resources["fieldTypes"];

/** Serves what a definition declares, now that its model is known. @throws FW_ROWS_ATTRIBUTE and the other errors of declarations */
export function settle(definition: ResourceDefinition, { model }: DefinitionPlace, types: Types): void {
  for (const [name, declaration] of declarationsOf(definition)) {
    if (declaration.word === "virtual") serveVirtual(definition, name, declaration.options, model);
    else serveRows(definition, name, declaration, { model, types });
  }
  for (const [name, input] of [...definition.inputs]) {
    const { as, label, hint, maximum } = settleTexts(input);
    if (!types.get(as ?? "")?.rows || (model.settled && model.columns.get(name)?.type !== "json")) continue;
    const field = { as: as!, ...withoutUndefined({ label, hint, maximum }) };
    const [spec] = specsOf(definition.constructor.name, { [name]: field }, types);
    definition.handle(name, documentHandler(spec!));
  }
}

const withoutUndefined = <T extends object>(options: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;

/** What the input of a definition may set; the rules are checked by the handler. */
const inputOptions = new Set([
  ...["as", "label", "hint", "placeholder", "autocomplete", "choices"],
  ...["currency", "unit", "default", "condition"],
]);

function serveVirtual(definition: ResourceDefinition, name: string, options: VirtualOptions, model: ModelInfo): void {
  const isTaken = model.columns.has(name) || model.associations.has(name) || model.money[name] !== undefined;
  if (isTaken) throw errors.FW_VIRTUAL_TAKEN(definition.constructor.name, name, model.constant);
  const input = Object.fromEntries(Object.entries(options).filter(([option]) => inputOptions.has(option)));
  definition.inputs.set(name, { ...input, required: isRequired(options) } as ResourceInputOptions);
  definition.handle(name, virtualHandler(options));
}

interface Place {
  readonly model: ModelInfo;
  readonly types: Types;
}
type RowsDeclaration = Extract<Declaration, { word: "repeated" | "fieldGroup" }>;

function serveRows(
  definition: ResourceDefinition,
  name: string,
  { word, options }: RowsDeclaration,
  place: Place,
): void {
  const { model, types } = place;
  const constant = definition.constructor.name;
  const { label, hint, condition } = options;
  const input = {
    as: "rows" as const,
    ...(label ? { label } : {}),
    ...(hint ? { hint } : {}),
    ...(condition ? { condition } : {}),
  };
  definition.inputs.set(name, { ...definition.inputs.get(name), ...input });
  const association = model.associations.get(name);
  const isRecords = association?.kind === (word === "fieldGroup" ? "hasOne" : "hasMany");
  const isDocument = !association && (!model.settled || model.columns.get(name)?.type === "json");
  if (!isRecords && !isDocument) throw errors.FW_ROWS_ATTRIBUTE(constant, word, name, model.constant);
  if (isRecords) definition.handle(name, recordRowsHandler(recordRowsOf(constant, association, options)));
  else definition.handle(name, documentHandler(specOf(constant, name, { word, options }, types)));
}

function specOf(
  constant: string,
  name: string,
  { word, options }: { word: string; options: RowsOptions | GroupOptions },
  types: Types,
): FieldSpec {
  const { fields = {}, condition: _, ...own } = options;
  if (Array.isArray(fields) || Object.keys(fields).length === 0)
    throw errors.FW_ROWS_FIELDS(
      constant,
      word,
      name,
      'the fields of a json column by name, as in { fields: { text: { as: "string" } } }',
    );
  const specs = specsOf(constant, fields as RowFields, types);
  return { name, type: word === "fieldGroup" ? "group" : word, options: own as FieldSpec["options"], fields: specs };
}
