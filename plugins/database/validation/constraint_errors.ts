import type { Transaction } from "objection";
import { clientOf } from "../drivers/connection.ts";
import { mysqlUniques } from "../drivers/mysql/introspect.ts";
import { asUnavailable } from "../drivers/unavailable.ts";
import { errors } from "../errors.ts";
import type { BaseModel } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";
import { hasGeneratedSlug } from "../models/slug.ts";
import { fieldOf } from "./column_names.ts";
import { type MessageKey, problem } from "./messages.ts";
import { ValidationError } from "./validation_error.ts";
import { uniquenessOf } from "./validations.ts";

/** What is used of a failed query. */
export interface FailedQuery {
  modelClass(): unknown;
  context(): object;
  knex(): Transaction;
  isDelete(): boolean;
}
type Native = Error & { code?: string; errno?: number };

const written = new WeakMap<object, BaseModel>();
/** Remembers the record that a query writes: SQLite does not report which foreign key failed. */
export const rememberRecord = (context: object, record: BaseModel): unknown => written.set(context, record);

/** Throws the error as field errors when it came from a constraint of the database. */
export async function throwMapped(error: unknown, query: FailedQuery): Promise<never> {
  const native = ((error as { nativeError?: unknown } | undefined)?.nativeError ?? error) as Native;
  const info =
    native instanceof Error && /^(SQLITE_|ER_)/.test(native.code ?? "") ? ModelInfo.of(query.modelClass()) : undefined;
  if (!info) throw asUnavailable(error);
  if (isNoTable(native)) throw errors.FW_TABLE_MISSING(info.table, info.constant);
  const found = (await constraint(native, info, query)) ?? columnFailure(native);
  if (!found) throw asUnavailable(error);
  const fields = found.columns.map(
    (column) => [fieldOf(info, column), [problem(found.key, {}, found.message)]] as const,
  );
  throw new ValidationError(info.constant, Object.fromEntries(fields), native);
}

interface Found {
  key: MessageKey;
  columns: readonly string[];
  message?: string;
}

/** Whether a statement was refused because another row has what must be unique. */
export function isDuplicate(error: unknown): boolean {
  const { code, message = "" } = error as { code?: string; message?: string };
  return code === "ER_DUP_ENTRY" || message.includes("UNIQUE constraint failed");
}
/** Whether a query failed because the slug that was made for its record is taken by now. */
export function isSlugTaken(error: unknown, query: FailedQuery): boolean {
  const record = written.get(query.context());
  if (!record || !hasGeneratedSlug(record)) return false;
  const native = (error as { nativeError?: unknown } | undefined)?.nativeError ?? error;
  const { paramKey } = ModelInfo.of(query.modelClass());
  return isDuplicate(native) && (native as Error).message.includes(paramKey);
}
/** Whether a statement was refused because another row refers to the one that was to go. */
export function isReferenced(error: unknown): boolean {
  const { errno, message = "" } = error as { errno?: number; message?: string };
  return errno === 1451 || errno === 1217 || message.includes("FOREIGN KEY constraint failed");
}

const isNoTable = ({ code, message }: Native) => code === "ER_NO_SUCH_TABLE" || /no such table/.test(message);

async function constraint(native: Native, info: ModelInfo, query: FailedQuery): Promise<Found | undefined> {
  const columns =
    namedColumns(native) ?? (native.errno === 1062 ? await indexColumns(native, info, query.knex()) : undefined);
  if (columns) return takenFailure(info, columns);
  if (native.errno === 1451 || native.errno === 1217) return { key: "referenced", columns: ["base"] };
  const foreign =
    /FOREIGN KEY constraint failed/.test(native.message) || native.errno === 1452 || native.errno === 1216;
  return foreign ? foreignFailure(info, query) : undefined;
}

/** The field of the error: where the model declares the columns unique, else the first that is no foreign key. */
function takenFailure(info: ModelInfo, columns: readonly string[]): Found {
  const rule = uniquenessOf(info, columns);
  const column = rule?.name ?? columns.find((name) => !info.columns.get(name)?.references) ?? columns[0] ?? "base";
  return { key: "taken", columns: [column], ...(rule?.message === undefined ? {} : { message: rule.message }) };
}

/** `UNIQUE constraint failed: posts.slug, posts.author_id` */
function namedColumns({ message }: Native): string[] | undefined {
  const list = /UNIQUE constraint failed: (.+)$/s.exec(message)?.[1];
  return list?.split(",").map((part) => part.trim().replace(/^.*\./, ""));
}

/** `Duplicate entry 'x' for key 'posts_slug_unique'` */
async function indexColumns({ message }: Native, info: ModelInfo, knex: Transaction): Promise<readonly string[]> {
  const name = /for key '(?:[^'.]+\.)?([^']+)'$/.exec(message)?.[1];
  const indexes = clientOf(knex) === "mysql" ? await mysqlUniques(knex, info.table) : [];
  return indexes.find((index) => index.name === name)?.columns ?? ["base"];
}

/** Looks for the record that is referred to and is not there. */
async function foreignFailure(info: ModelInfo, query: FailedQuery): Promise<Found> {
  const record = written.get(query.context()) as Record<string, unknown> | undefined;
  if (!record || query.isDelete()) return { key: "referenced", columns: ["base"] };
  const columns: string[] = [];
  for (const { name, references } of info.columns.values()) {
    const value = record[name];
    if (!references || value === null || value === undefined) continue;
    const there = await query
      .knex()(references.table)
      .where(references.column, value as number)
      .first(references.column);
    if (!there) columns.push(name);
  }
  return columns.length > 0 ? { key: "required", columns } : { key: "referenced", columns: ["base"] };
}

const byNumber: Record<number, MessageKey> = {
  1048: "blank",
  1364: "blank",
  1406: "too_long",
  1264: "out_of_range",
  1265: "inclusion",
  1366: "invalid",
  1292: "invalid",
  4025: "invalid",
};

/** `Column 'title' cannot be null`, `NOT NULL constraint failed: posts.title`, `Data too long for column 'title' at row 1` */
function columnFailure({ errno = 0, message }: Native): Found | undefined {
  const empty = /NOT NULL constraint failed: [^.]+\.(\w+)/.exec(message)?.[1];
  if (empty) return { key: "blank", columns: [empty] };
  const checked = /CHECK constraint failed: [`"]?(\w+)/.exec(message)?.[1];
  if (checked) return { key: "inclusion", columns: [checked] };
  const key = byNumber[errno];
  const column = /(?:[Cc]olumn|Field) (?:`[^`]+`\.`[^`]+`\.)?[`']([^`']+)[`']/.exec(message)?.[1];
  return key && { key, columns: [column ?? "base"] };
}
