import { suggest } from "framewright/kernel";
import { type BaseModel, type ColumnInfo, type ModelClass, ModelInfo, type Rules } from "framewright/plugins/database";
import { isCredential } from "framewright/plugins/resources";
import type { FieldSpec } from "../contract/index.ts";
import { errors } from "../errors.ts";

/** What a step takes over from a model. */
export interface Import {
  readonly model: { new (): BaseModel };
  readonly names: readonly string[] | undefined;
  readonly except: readonly string[];
}
/** A field that a model's attribute stands behind. */
export interface ModelField extends FieldSpec {
  readonly model: string;
  /** Undefined for money. */
  readonly column: ColumnInfo | undefined;
}

const leftOut = /^(id|created_at|updated_at|lock_version)$|_(id|cents)$/;

export const modelOf = ({ model }: Import): ModelInfo => ModelInfo.of(model);

/**
 * The fields that a model's attributes make; none as long as its table is not known.
 * @throws FW_WIZARD_USING for a name that can't be taken over
 */
export function importedFields(step: string, said: Import): readonly ModelField[] {
  const info = modelOf(said);
  if (!info.exists) return [];
  const possible = [...info.columns.keys(), ...Object.keys(info.money)];
  if (info.settled) for (const name of [...(said.names ?? []), ...said.except]) checkName(step, info, name, possible);
  const typed = possible.filter((name) => !leftOut.test(name) && !isCredential(name) && isTyped(info, name));
  const known = (said.names ?? typed).filter((name) => possible.includes(name));
  return known.filter((name) => !said.except.includes(name)).map((name) => fieldOf(info, name));
}

function checkName(step: string, info: ModelInfo, name: string, possible: readonly string[]): void {
  const owners = [...info.associations.values()].filter(({ kind }) => kind === "belongsTo");
  if (owners.some((one) => one.name === name || one.foreignKey === name))
    throw errors.FW_WIZARD_USING_ASSOCIATION(step, info.constant, name);
  const askable = possible.filter((one) => !owners.some(({ foreignKey }) => foreignKey === one));
  if (!possible.includes(name)) throw errors.FW_WIZARD_USING(step, info.constant, name, suggest(name, askable));
}

/** Whether people type it in: no bytes, and not the cents behind an amount. */
const isTyped = ({ columns, money }: ModelInfo, name: string): boolean =>
  columns.get(name)?.type !== "binary" && !Object.values(money).includes(name);

function fieldOf(info: ModelInfo, name: string): ModelField {
  const column = info.columns.get(name);
  const rules: Rules = (info.class as ModelClass).validations[name] ?? {};
  const choices = info.enums[name] ?? column?.values;
  const isNeeded = column !== undefined && !column.nullable && !column.hasDefault && column.type !== "boolean";
  const options = {
    required: Boolean(rules.presence) || isNeeded,
    ...(choices ? { choices } : {}),
    ...defaultOf(info, name, column),
  };
  return { name, type: wordOf(name, column, choices), options, fields: [], model: name, column };
}

function defaultOf({ class: { defaults } }: ModelInfo, name: string, column: ColumnInfo | undefined) {
  const given = name in defaults && typeof defaults[name] !== "function" ? defaults[name] : column?.default;
  return given === undefined || given === null ? {} : { default: given };
}

const isText = ({ type }: ColumnInfo) => type === "string" || type === "text";

function wordOf(name: string, column: ColumnInfo | undefined, choices: readonly string[] | undefined): string {
  if (!column) return "money";
  if (choices) return "select";
  if (isText(column) && isCredential(name)) return "password";
  if (column.type === "string" && /(^|_)email$/.test(name)) return "email";
  if (column.type === "string" && /(^|_)url$/.test(name)) return "url";
  return column.type;
}
