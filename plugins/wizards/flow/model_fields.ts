import { suggest } from "framewright/kernel";
import { type BaseModel, type ColumnInfo, type ModelClass, ModelInfo, type Rules } from "framewright/plugins/database";
import { isCredential } from "framewright/plugins/resources";
import type { FieldSpec } from "../contract/index.ts";
import { errors } from "../errors.ts";

/** The fields that a step imports from a model by `using`. */
export interface ModelImport {
  readonly model: { new (): BaseModel };
  readonly names: readonly string[] | undefined;
  readonly except: readonly string[];
}
/** A field imported from a model's attribute. */
export interface ModelField extends FieldSpec {
  readonly model: string;
  /** Undefined for money. */
  readonly column: ColumnInfo | undefined;
}

const EXCLUDED = /^(id|created_at|updated_at|lock_version)$|_(id|cents)$/;

export const modelOf = ({ model }: ModelImport): ModelInfo => ModelInfo.of(model);

/**
 * The fields of a model's attributes; none until its table is known.
 * @throws FW_WIZARD_USING for a name that can't be imported
 */
export function importedFields(step: string, imported: ModelImport): readonly ModelField[] {
  const info = modelOf(imported);
  if (!info.exists) return [];
  const possible = [...info.columns.keys(), ...Object.keys(info.money)];
  if (info.settled)
    for (const name of [...(imported.names ?? []), ...imported.except]) checkName(step, info, name, possible);
  const typed = possible.filter((name) => !EXCLUDED.test(name) && !isCredential(name) && isUserInput(info, name));
  const known = (imported.names ?? typed).filter((name) => possible.includes(name));
  return known.filter((name) => !imported.except.includes(name)).map((name) => fieldOf(info, name));
}

function checkName(step: string, info: ModelInfo, name: string, possible: readonly string[]): void {
  const owners = [...info.associations.values()].filter(({ kind }) => kind === "belongsTo");
  if (owners.some((one) => one.name === name || one.key.columns.includes(name)) || namesRecord(info, name))
    throw errors.FW_WIZARD_USING_ASSOCIATION(step, info.constant, name);
  const askable = possible.filter((one) => !owners.some(({ key }) => key.columns.includes(one)));
  if (!possible.includes(name)) throw errors.FW_WIZARD_USING(step, info.constant, name, suggest(name, askable));
}

/** Whether a name is that of a polymorphic association, or of a column that it has. */
const namesRecord = ({ polymorphic }: ModelInfo, name: string): boolean =>
  [...polymorphic.values()].some((one) => [one.name, one.keyColumn, one.typeColumn].includes(name));

/** Whether people can type it: not binary, not the cents column of a money attribute, and no part of a reference. */
const isUserInput = (info: ModelInfo, name: string): boolean =>
  info.columns.get(name)?.type !== "binary" && !Object.values(info.money).includes(name) && !namesRecord(info, name);

function fieldOf(info: ModelInfo, name: string): ModelField {
  const column = info.columns.get(name);
  const rules: Rules = (info.class as ModelClass).validations[name] ?? {};
  const choices = info.choices[name] ?? column?.values;
  const isNeeded = column !== undefined && !column.nullable && !column.hasDefault && column.type !== "boolean";
  const options = {
    required: Boolean(rules.presence) || isNeeded,
    ...(choices ? { choices } : {}),
    ...(info.class.currencies[name] === undefined ? {} : { currency: info.class.currencies[name] }),
    ...defaultOf(info, name, column),
  };
  const isEncrypted = info.encrypted.has(name);
  return { name, type: fieldTypeOf(name, column, choices), options, fields: [], model: name, column, isEncrypted };
}

function defaultOf({ class: { defaults } }: ModelInfo, name: string, column: ColumnInfo | undefined) {
  const given = name in defaults && typeof defaults[name] !== "function" ? defaults[name] : column?.default;
  return given === undefined || given === null ? {} : { default: given };
}

const isText = ({ type }: ColumnInfo) => type === "string" || type === "text";

function fieldTypeOf(name: string, column: ColumnInfo | undefined, choices: readonly string[] | undefined): string {
  if (!column) return "money";
  if (choices) return "select";
  if (isText(column) && isCredential(name)) return "password";
  if (column.type === "string" && /(^|_)email$/.test(name)) return "email";
  if (column.type === "string" && /(^|_)url$/.test(name)) return "url";
  return column.type;
}
