import { describe, suggest } from "framewright/kernel";
import type { ColumnType, ModelInfo } from "framewright/plugins/database";
import { errors } from "./errors.ts";

/**
 * What is in a column after the erasure: null, a text, number or boolean, what a function of the row returns, or the value
 * as it is, with the reason: `{ keep: "invoices name the buyer for ten years" }`.
 */
export type PersonalRule =
  | null
  | string
  | number
  | boolean
  | { readonly keep: string }
  | ((row: Readonly<Record<string, unknown>>) => unknown);

/** `static personal` of a model: whose its rows are, and what becomes of them. */
export interface PersonalModel {
  /** The belongsTo associations that lead to the person: to the account, or to a declared model whose rows are the person's. */
  readonly of?: string | readonly string[];
  /** The column with a person's login, for rows of people who have no account yet, as invitations. */
  readonly login?: string;
  /** The columns with personal data, and the rule of each. */
  readonly columns?: Readonly<Record<string, PersonalRule>>;
  /** What becomes of files that are attached to the rows: by default they are erased with the row. */
  readonly files?: "erase" | { readonly keep: string };
  /** What becomes of the rows: "anonymise" by their columns (by default), "delete", or "keep" as they are. */
  readonly erase?: "anonymise" | "delete" | "keep";
  /** Whether the rows are exported; true by default. */
  readonly export?: boolean;
}

/** A model with what it declares, complete and checked. */
export interface Declared {
  readonly model: ModelInfo;
  readonly of: readonly string[];
  readonly login: string | undefined;
  readonly columns: ReadonlyMap<string, PersonalRule>;
  readonly keepsFiles: boolean;
  readonly erase: "anonymise" | "delete" | "keep";
  readonly export: boolean;
}

const names = new Set(["of", "login", "columns", "files", "erase", "export"]);

/** What a model declares; undefined for nothing, false for a model without personal data. @throws FW_PERSONAL_… */
export function declaredBy(model: ModelInfo, loginColumn: string | undefined): Declared | false | undefined {
  const given = (model.class as { personal?: unknown }).personal;
  if (given === undefined || given === false) return given;
  if (!isWellFormed(given)) throw errors.FW_PERSONAL_STATIC(model.constant, describe(given));
  const { of = [], login, columns = {}, files = "erase", erase = "anonymise", export: exported = true } = given;
  const declared: Declared = {
    model,
    of: [of].flat() as string[],
    login,
    columns: new Map(Object.entries(columns)),
    keepsFiles: files !== "erase",
    erase,
    export: exported,
  };
  if (model.settled) check(declared, loginColumn);
  return declared;
}

function isWellFormed(given: unknown): given is PersonalModel {
  if (typeof given !== "object" || given === null || !Object.keys(given).every((name) => names.has(name))) return false;
  const { of, login, columns, files, erase, export: exported } = given as Record<string, unknown>;
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  const keeps = (value: unknown) => isText(Object(value).keep) && Object.keys(Object(value)).length === 1;
  return (
    (of === undefined || [of].flat().every(isText)) &&
    (login === undefined || isText(login)) &&
    (columns === undefined || (typeof columns === "object" && columns !== null && !Array.isArray(columns))) &&
    Object.values(columns ?? {}).every((rule) => rule === null || typeof rule !== "object" || keeps(rule)) &&
    !Object.values(columns ?? {}).includes(undefined) &&
    (files === undefined || files === "erase" || keeps(files)) &&
    (erase === undefined || ["anonymise", "delete", "keep"].includes(erase as string)) &&
    (exported === undefined || typeof exported === "boolean")
  );
}

function check({ model, of, login, columns }: Declared, loginColumn: string | undefined): void {
  const { constant } = model;
  if (model.key.columns.length !== 1) throw errors.FW_PERSONAL_KEY(constant);
  const belongs = [...model.associations.values()].filter(({ kind }) => kind === "belongsTo").map(({ name }) => name);
  const known = [...belongs, ...model.polymorphic.keys()];
  for (const name of of) if (!known.includes(name)) throw errors.FW_PERSONAL_OF(constant, name, known);
  for (const name of [...columns.keys(), ...(login === undefined ? [] : [login])])
    if (!model.columns.has(name))
      throw errors.FW_PERSONAL_COLUMN(constant, name, suggest(name, [...model.columns.keys()]));
  for (const [name, rule] of columns) {
    const [problem, fix] = (name === loginColumn ? ofLogin : problemOf(model, name, rule)) ?? [];
    if (problem !== undefined) throw errors.FW_PERSONAL_RULE(constant, name, problem, fix!);
  }
}

const ofLogin = ["it is the login, which every erasure replaces", "Remove it."] as const;
const asFunction = `Use a function of the row, as (row) => "erased-" + row.id.`;

/** The types of columns that take a fixed value, by its type in code. */
const typesOf: Readonly<Record<string, ReadonlySet<ColumnType>>> = {
  string: new Set(["string", "text", "uuid", "date", "datetime", "time", "decimal"]),
  number: new Set(["integer", "bigint", "decimal", "float"]),
  boolean: new Set(["boolean"]),
};

/** Why a rule can't be used, and what to do. */
function problemOf(model: ModelInfo, name: string, rule: PersonalRule): readonly [string, string] | undefined {
  const column = model.columns.get(name)!;
  if (isKept(rule)) return undefined;
  if (model.isKey(name)) return ["it is the key of the row", "Remove it."];
  if (column.writer !== undefined)
    return ["the database writes the column by itself", "Remove it, and declare what it is computed from."];
  if (rule === null)
    return column.nullable
      ? undefined
      : ["the column may not be null", `Use a fixed value, as ${name}: "", or let the column be null.`];
  if (model.encrypted.has(name)) return ["the column is encrypted, and is written past the model", "Use null."];
  if (typeof rule === "function") return undefined;
  if (column.unique) return ["the column is unique, and two erased people would have the same value", asFunction];
  if (!typesOf[typeof rule]?.has(column.type))
    return [
      `${JSON.stringify(rule)} is no value of the type ${column.type}`,
      "Use one, or null, or a function of the row.",
    ];
  if (typeof rule === "string" && column.maxLength !== undefined && rule.length > column.maxLength)
    return [`the text is longer than ${column.maxLength} characters`, "Use a shorter one."];
  const values = model.enums[name] ?? column.values;
  if (values && !values.includes(String(rule))) return [`it is none of ${values.join(", ")}`, "Use one of them."];
  return undefined;
}

/** Whether a rule leaves the value as it is. */
export const isKept = (rule: PersonalRule): rule is { readonly keep: string } =>
  typeof rule === "object" && rule !== null;
