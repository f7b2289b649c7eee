import type { Knex } from "knex";
import type { QueryBuilder } from "objection";
import { asUnavailable } from "../drivers/unavailable.ts";
import { errors } from "../errors.ts";
import {
  isDirect,
  type KnexQuery,
  type Omission,
  type PreparedSource,
  type Row,
  RowReader,
  readSource,
  rowsOf,
  type StoredRow,
} from "../fast/index.ts";
import { BaseModel, type ModelClass } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";
import { type FailedQuery, throwMapped } from "../validation/constraint_errors.ts";
import type { Counted, Counter } from "./count.ts";
import type { KeyLookups } from "./key_lookups.ts";
import { loadPolymorphic } from "./load_polymorphic.ts";

type Query<M extends BaseModel> = QueryBuilder<M>;
interface Built {
  modelClass(): ModelClass;
  toKnexQuery(): Knex.QueryBuilder<Row, Row[]>;
  hasWithGraph(): boolean;
  has(operation: RegExp): boolean;
}

/** Where rows come from: a query, or one that is built once and run with other values. */
export type RowSource<M extends BaseModel = BaseModel> = Query<M> | PreparedSource;
/** What is read beside the rows of a source, and left out of them. */
export interface RowParts {
  /** The belongsTo associations whose parent rows are read. */
  readonly names: readonly string[];
  /** Columns that are not read, where the fast path can do so. */
  readonly omitted?: Omission | undefined;
}
/** Rows of a query, with the rows that they belong to. */
export interface RowsRead {
  readonly rows: readonly StoredRow[];
  /** By the name of a belongsTo: the parent row of each row, at the same index, or null. */
  readonly related: ReadonlyMap<string, readonly (StoredRow | null)[]>;
}

const builtOf = (query: unknown) => query as Built & FailedQuery;
const isPrepared = (source: object): source is PreparedSource => "prepared" in source;

/** Whether the records of a model are read without code of its own: what is built once then finds what a query would. */
export const canPrepare = (info: ModelInfo, names: readonly string[]): boolean =>
  info.isFast &&
  RowReader.of(info).needsRecords === undefined &&
  hasPlainQueries(info) &&
  names.every((name) => isDirect(info, name));
/** Whether a model builds its queries as objection does; one of its own may narrow them. */
const hasPlainQueries = ({ class: cls, mark }: ModelInfo): boolean =>
  cls.query === BaseModel.query && (cls.QueryBuilder === BaseModel.QueryBuilder || mark?.isPlain === true);

/** Runs a read and maps driver errors. */
async function mapReadErrors<T>(source: RowSource, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    return throwReadError(source, error);
  }
}

/** Throws a driver's error as a read reports it: as field errors, or as 503. */
async function throwReadError(source: RowSource, error: unknown): Promise<never> {
  if (isPrepared(source)) throw asUnavailable(error);
  return throwMapped(error, builtOf(source));
}

/**
 * Fast path: reads the records of a query and the associations that are named, as objection would: rows become records,
 * and parent rows are fetched by key. Models with read hooks and associations of many are left to objection.
 */
export async function readRecords<M extends BaseModel>(
  query: Query<M>,
  names: readonly string[],
  lookups: KeyLookups,
): Promise<M[]> {
  const built = builtOf(query);
  const info = ModelInfo.of(built.modelClass());
  if (info.polymorphic.size > 0) {
    const polymorphic = names.filter((name) => info.polymorphic.has(name));
    if (polymorphic.length > 0) return readPolymorphic(query, { info, names, polymorphic }, lookups);
  }
  const plain = info.isFast && RowReader.of(info).needsRecords === undefined && !built.hasWithGraph();
  if (!plain || !names.every((name) => isDirect(info, name))) {
    const found: unknown = await (names.length > 0 ? query.withGraphFetched(`[${names.join(", ")}]`) : query);
    return [found ?? []].flat() as M[]; // a query by key finds one record, or none
  }
  return recordsOf(info, await readRows(info, query, { names }, lookups)) as M[];
}

async function readPolymorphic<M extends BaseModel>(
  query: Query<M>,
  { info, names, polymorphic }: { info: ModelInfo; names: readonly string[]; polymorphic: readonly string[] },
  lookups: KeyLookups,
): Promise<M[]> {
  const others = names.filter((name) => !polymorphic.includes(name));
  const records = await readRecords(query, others, lookups);
  const knex = builtOf(query).knex() as Knex;
  for (const name of polymorphic) await loadPolymorphic(info.polymorphic.get(name)!, records, knex);
  return records;
}

/** The rows of a source as records, with those that they belong to; a row that several belong to is one record. */
export function recordsOf(info: ModelInfo, { rows, related }: RowsRead): BaseModel[] {
  const reader = RowReader.of(info);
  const records = rows.map((row) => reader.record(row));
  for (const [name, behind] of related) {
    const target = RowReader.of(info.associations.get(name)!.target);
    const made = new Map<StoredRow, BaseModel>();
    behind.forEach((row, index) => {
      if (row && !made.has(row)) made.set(row, target.record(row));
      (records[index] as unknown as Row)[name] = row ? made.get(row) : null;
    });
  }
  return records;
}

/** The rows of a source as they are stored, and the rows that they belong to. @throws FW_ROWS_ASSOCIATION */
export async function readRows<M extends BaseModel>(
  info: ModelInfo,
  source: RowSource<M>,
  parts: RowParts,
  lookups: KeyLookups,
): Promise<RowsRead> {
  try {
    const read = readSource(info, isPrepared(source) ? source : knexQuery(source), parts);
    const rows = read.rows instanceof Promise ? await read.rows : read.rows;
    return { rows, related: read.related ?? (await parentRowsOf(info, rows, parts, lookups, read.knex)) };
  } catch (error) {
    return throwReadError(source as RowSource, error);
  }
}

function knexQuery(source: unknown): KnexQuery {
  const built = builtOf(source);
  return { knex: built.knex() as Knex, query: built.toKnexQuery() };
}

/** The row with a key and its parent rows, without any narrowing; undefined where there is none. */
export async function readRowByKey(
  info: ModelInfo,
  key: number | string,
  names: readonly string[],
  lookups: KeyLookups,
  knex?: Knex,
): Promise<RowsRead | undefined> {
  const read = await readRows(
    info,
    { prepared: lookups.byKey(info), values: info.key.values(key) ?? [], knex },
    { names },
    lookups,
  );
  return read.rows.length > 0 ? read : undefined;
}

/** As readRowByKey, as a record. */
export async function readRecordByKey(
  info: ModelInfo,
  key: number | string,
  names: readonly string[],
  lookups: KeyLookups,
  knex?: Knex,
): Promise<BaseModel | undefined> {
  const isRead = info.isFast && RowReader.of(info).needsRecords === undefined;
  if (!isRead || !names.every((name) => isDirect(info, name))) {
    const query = info.key.where(info.class.query(knex), key).limit(1) as unknown as Query<BaseModel>;
    return (await readRecords(query, names, lookups))[0];
  }
  const read = await readRowByKey(info, key, names, lookups, knex);
  return read && recordsOf(info, read)[0];
}

async function parentRowsOf(
  info: ModelInfo,
  rows: readonly StoredRow[],
  { names, omitted }: RowParts,
  lookups: KeyLookups,
  knex?: Knex,
): Promise<RowsRead["related"]> {
  if (names.length === 0) return none;
  const related = new Map<string, (Row | null)[]>();
  for (const name of names) {
    if (!isDirect(info, name)) throw errors.FW_ROWS_ASSOCIATION(info.constant, name);
    const parts = { knex, omitted: omitted?.related.get(name) };
    related.set(name, await lookups.parentRows(info.associations.get(name)!, rows, parts));
  }
  return related;
}
const none: ReadonlyMap<string, readonly (StoredRow | null)[]> = new Map();

/** How many records a query finds; it must have nothing but conditions. */
export function countRecords<M extends BaseModel>(query: Query<M>): Promise<number> {
  return mapReadErrors(query as unknown as RowSource, async () => {
    const counting = builtOf(query).toKnexQuery().clearSelect().count("* as total");
    const [counted] = await rowsOf(counting as unknown as Knex.QueryBuilder<Row, Row[]>);
    return Number(counted?.total ?? 0);
  });
}

/** How many rows a source of conditions alone finds, and whether that is all. */
export function countSource<M extends BaseModel>(
  source: RowSource<M>,
  most: number,
  counting: Counter,
): Promise<Counted> {
  return mapReadErrors(source as RowSource, () => {
    if (isPrepared(source)) return counting.prepared(source, most);
    const built = builtOf(source);
    const { table } = ModelInfo.of(built.modelClass());
    return counting.query(() => built.toKnexQuery(), built.knex() as Knex, table, most, !built.has(/./));
  });
}
