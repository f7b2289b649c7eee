import { camelize, singularize, underscore, withoutAccents } from "framewright/host/inflection";
import { checkReserved } from "../../../../generators/toolkit/index.ts";

/** A name of the database in snake case, of ASCII letters and digits: `Straßen Liste` is strassen_liste. Empty where nothing is left. */
export function snakeCase(name: string): string {
  return underscore(withoutAccents(name).replace(/[^A-Za-z0-9]+/g, "_"))
    .replace(/_+/g, "_")
    .replace(/^_|_$/g, "");
}

/** What generated classes of other kinds are called, and parts of the framework. */
const OTHER_KIND = /_(policy|definition|controller|interaction|wizard|dashboard|portal)$/;

/** The name of a table's class, and the reason where it is not the table's own. */
export interface ClassName {
  name: string;
  reason?: string;
}

/** The class of a table: the first name that can be a class and is free, with its schema where another schema has one too. */
export function classOf(table: string, isFree: (name: string) => boolean, schema?: string): ClassName {
  const own = snakeCase(table);
  const snake = own === "" ? "table" : /^\d/.test(own) ? `table_${own}` : own;
  const single = singularize(snake).replace(/_+$/, "") || snake;
  const reason = reasonAgainst(single) ?? (own === "" ? "its name has no letters of a class" : undefined);
  const base = camelize(reasonAgainst(single) === undefined ? single : `${single}_record`);
  const numbered = Array.from({ length: 99 }, (_, at) => `${base}${at + 2}`);
  const withSchema = schema === undefined ? [] : [camelize(`${snakeCase(schema)}_${underscore(base)}`)];
  const name = [base, ...withSchema, ...numbered].find(isFree) ?? base;
  return name === base && reason === undefined
    ? { name }
    : { name, reason: reason ?? `another class is called ${base}` };
}

function reasonAgainst(single: string): string | undefined {
  if (OTHER_KIND.test(single)) return "other classes are called so";
  try {
    checkReserved("a resource", single, { isClass: true });
    return undefined;
  } catch {
    return `a class can't be called ${camelize(single)}`;
  }
}

/** Names that all records or objects have as members. */
const members = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...["prototype", "toLabel", "toParam", "toJSON", "then", "__proto__"],
]);

/** Whether SQL can be built with a name: knex takes a dot and " as " for its own, and trims. */
export const isNameable = (name: string): boolean => name === name.trim() && !/\.|\sas\s/i.test(name);

/** Whether a record can have a column of that name, and forms, filters and addresses can carry it. */
export const isUsable = (column: string): boolean =>
  /^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(column) && isNameable(column) && !members.has(column);

/** Names that no association can have. */
const reserved = new Set(["id", "created_at", "updated_at", "lock_version", "prototype", "record", "to_label"]);

/** The first of the names that is free. */
export function firstFree(names: readonly string[], taken: ReadonlySet<string>): string | undefined {
  const isFree = (name: string) =>
    /^[a-z]\w*$/.test(name) && !taken.has(name) && !reserved.has(name) && !members.has(name);
  return names.find(isFree);
}

/** The name of the association of a foreign key: `ArtistId` is artist, `ReportsTo` is reports_to. */
export function referenceName(column: string): string {
  const snake = snakeCase(column);
  return snake.replace(/_?(id|no|nr|num|number|code|key|fk|uuid)$/, "").replace(/^(fk|id)_/, "") || snake;
}
