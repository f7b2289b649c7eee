import type { Transaction } from "objection";
import { driverOf } from "../drivers/drivers.ts";
import { type DriverFailure, type FailureKind, nativeFailure } from "../drivers/failure.ts";
import { asUnavailable } from "../drivers/unavailable.ts";
import { errors } from "../errors.ts";
import type { BaseModel } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";
import { hasGeneratedSlug } from "../models/slug.ts";
import { fieldOf } from "./column_names.ts";
import { type MessageKey, problem } from "./messages.ts";
import { uniquenessOf } from "./uniqueness.ts";
import { ValidationError } from "./validation_error.ts";

/** What is used of a failed query. */
export interface FailedQuery {
  modelClass(): unknown;
  context(): object;
  knex(): Transaction;
  isDelete(): boolean;
}

/** Module-level: found by the context of a query, and freed with it. */
const written = new WeakMap<object, BaseModel>();
/** Remembers the record that a query writes: SQLite does not report which foreign key failed. */
export const rememberRecord = (context: object, record: BaseModel): unknown => written.set(context, record);

/** Throws the error as field errors when it came from a constraint of the database. */
export async function throwMapped(error: unknown, query: FailedQuery): Promise<never> {
  const failure = nativeFailure(error);
  if (!failure) throw asUnavailable(error);
  const info = ModelInfo.of(query.modelClass());
  if (failure.kind === "no_table") throw errors.FW_TABLE_MISSING(info.table, info.constant);
  const found = await foundBy(failure, info, query);
  if (!found) throw asUnavailable(error);
  const fields = found.columns.map(
    (column) => [fieldOf(info, column), [problem(found.key, {}, found.message)]] as const,
  );
  throw new ValidationError(info.constant, Object.fromEntries(fields), nativeOf(error) as Error);
}

const nativeOf = (error: unknown): unknown => (error as { nativeError?: unknown } | undefined)?.nativeError ?? error;

interface Found {
  key: MessageKey;
  columns: readonly string[];
  message?: string;
}

/** Whether a statement was refused because another row has what must be unique. */
export const isDuplicate = (error: unknown): boolean => nativeFailure(error)?.kind === "unique";
/** Whether a query failed because the slug that was created for its record is taken by now. */
export function isSlugTaken(error: unknown, query: FailedQuery): boolean {
  const record = written.get(query.context());
  if (!record || !hasGeneratedSlug(record)) return false;
  const { paramKey } = ModelInfo.of(query.modelClass());
  return isDuplicate(error) && (nativeOf(error) as Error).message.includes(paramKey);
}
/** Whether a statement was refused because another row refers to the one that was to go. */
export const isReferenced = (error: unknown): boolean =>
  ["referenced", "foreign_key"].includes(nativeFailure(error)?.kind ?? "");

/** Whether a statement was refused because its table does not exist. */
export const isTableMissing = (error: unknown): boolean => nativeFailure(error)?.kind === "no_table";
/**
 * Awaits queries of a plugin's own table, and maps their errors.
 * @param missing - the error where the table does not exist, with the migration that creates it
 * @returns a function that awaits a query. @throws what `missing` returns; 503 when the database is unavailable
 * @example const runQuery = mapTableErrors(errors.FW_NOTES_TABLE); await runQuery(database.knex("notes").insert(row));
 */
export const mapTableErrors =
  (missing: () => Error) =>
  async <T>(query: PromiseLike<T>): Promise<T> => {
    try {
      return await query;
    } catch (error) {
      throw isTableMissing(error) ? missing() : asUnavailable(error);
    }
  };

/** The kinds that are an error of the column that they name. */
const byKind: Partial<Record<FailureKind, MessageKey>> = {
  blank: "blank",
  too_long: "too_long",
  out_of_range: "out_of_range",
  inclusion: "inclusion",
  invalid: "invalid",
};

async function foundBy(failure: DriverFailure, info: ModelInfo, query: FailedQuery): Promise<Found | undefined> {
  const { kind } = failure;
  if (kind === "refused") return { key: "refused", columns: ["base"] };
  if (kind === "referenced") return referencedFailure(info, query);
  if (kind === "missing_reference" || kind === "foreign_key") return foreignFailure(info, query);
  const key = byKind[kind];
  if (key === undefined && kind !== "unique") return undefined;
  const columns = failure.columns ?? (await constraintColumns(failure, info, query.knex())) ?? ["base"];
  if (key === undefined) return takenFailure(info, columns);
  return columns[0] === "base" ? { key: "refused", columns } : { key, columns };
}

async function constraintColumns({ constraint }: DriverFailure, { table }: ModelInfo, knex: Transaction) {
  return constraint === undefined ? undefined : driverOf(knex).tables.constraintColumns?.(knex, table, constraint);
}

/**
 * The field of the error: where the model declares the columns unique, else the first that is of no foreign key. Of keys alone,
 * as of a table in between, the last: it is unique within those before.
 */
function takenFailure(info: ModelInfo, columns: readonly string[]): Found {
  const rule = uniquenessOf(info, columns);
  const column =
    rule?.name ??
    columns.find((name) => !info.foreignKeys.some((key) => key.columns.includes(name))) ??
    columns.at(-1) ??
    "base";
  return { key: "taken", columns: [column], ...(rule?.message === undefined ? {} : { message: rule.message }) };
}

/** Looks for the record that is referred to and is not there; where all are, others refer to this one. */
async function foreignFailure(info: ModelInfo, query: FailedQuery): Promise<Found> {
  const record = written.get(query.context()) as Record<string, unknown> | undefined;
  if (!record || query.isDelete()) return referencedFailure(info, query);
  const isSet = (name: string) => record[name] !== null && record[name] !== undefined;
  const isThere = async (table: string, pairs: readonly (readonly [to: string, name: string])[]) =>
    (await query
      .knex()(table)
      .where(Object.fromEntries(pairs.map(([to, name]) => [to, record[name] as number])))
      .first(pairs[0]![0])) !== undefined;
  const columns: string[] = [];
  for (const { name, references } of info.columns.values()) {
    if (!references || !isSet(name)) continue;
    if (!(await isThere(references.table, [[references.column, name]]))) columns.push(name);
  }
  for (const { table, columns: own, to } of info.foreignKeys) {
    if (own.length === 1) continue;
    if (!own.every((name) => isSet(name) || record[name] === undefined) || !own.some(isSet)) continue;
    const isWhole = own.every(isSet); // what an update leaves as it is isn't known here
    if (
      isWhole &&
      (await isThere(
        table,
        own.map((name, at) => [to[at]!, name] as const),
      ))
    )
      continue;
    columns.push(...(jointField(info, own) ?? own.filter(isSet)));
  }
  return columns.length > 0 ? { key: "required", columns } : referencedFailure(info, query);
}

/** The association of a foreign key of several columns; undefined where the model has none. */
function jointField({ associations }: ModelInfo, columns: readonly string[]): readonly string[] | undefined {
  const found = [...associations.values()].find(
    ({ kind, key }) => kind === "belongsTo" && [...key.columns].sort().join() === [...columns].sort().join(),
  );
  return found && [found.name];
}

/** Others refer to a record that was to be deleted, or whose key was to change. */
function referencedFailure({ key }: ModelInfo, query: FailedQuery): Found {
  const record = written.get(query.context()) as Record<string, unknown> | undefined;
  if (!record || query.isDelete()) return { key: "referenced", columns: ["base"] };
  const changed = key.columns.filter((name) => record[name] !== undefined);
  return { key: "referred", columns: changed.length > 0 ? changed : ["base"] };
}
