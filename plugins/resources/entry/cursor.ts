import { unprocessable } from "framewright/host";
import type { BaseModel, ColumnInfo, Driver, KeyValue, Query, StoredRow } from "framewright/plugins/database";
import { sealerOf } from "framewright/plugins/fields/toolkit";
import { inTurn } from "../definition/definition.ts";
import type { ListRequest } from "../registration/list_params.ts";
import type { Registration } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";
import type { Entry } from "./entry.ts";

/** Where a page begins: after the row with these values in the columns of the order, which is at this position. */
export interface Cursor {
  position: number;
  values: readonly unknown[];
}
/** A column that decides the order. */
interface Key {
  column: string;
  descending: boolean;
  info: ColumnInfo;
}

const boundTo = ({ sorts }: ListRequest, { model }: Registration): string =>
  `${model.constant} ${sorts.map(({ name, direction }) => `${direction} ${name}`).join()}`;

/** The columns of an order, the id last; undefined for one that the definition makes, or of values that don't compare as they are sorted. */
function keysOf({ sorts }: ListRequest, { definition, model }: Registration): Key[] | undefined {
  if (model.key.isMissing) return undefined;
  const keys: Key[] = [];
  const direction = sorts[0]?.direction ?? "desc";
  const byKey = (by: "asc" | "desc") => model.key.columns.map((name) => ({ name, direction: by }));
  const own = inTurn(sorts, definition).flatMap((sort) => (model.isKey(sort.name) ? byKey(sort.direction) : [sort]));
  for (const { name, direction: by } of [...own, ...byKey(direction)]) {
    const column = model.money[name] ?? name;
    const info = model.columns.get(column);
    if (!info || info.type === "float" || definition.sorts.get(name)?.using) return undefined;
    if (keys.some((known) => known.column === column)) continue;
    keys.push({ column, descending: by === "desc", info });
  }
  return keys;
}

/** Reads `after`, which a page of the same list gave. @throws HttpError 422 */
export function readCursor(controller: ResourceRequest, list: ListRequest): Cursor | undefined {
  const given = controller.params.string("after");
  if (given === undefined || given === "") return undefined;
  const opened = sealerOf(controller, "list cursor").open(given, boundTo(list, controller.registration));
  if (opened === undefined) {
    const text = "is not from a page of this list in this order";
    throw unprocessable(`after ${text}.`, { after: [text] });
  }
  const [position, ...values] = JSON.parse(opened) as [number, ...unknown[]];
  return { position, values };
}

/** A token for the rows after an entry at a position; undefined for an order that has no cursors. */
export async function cursorAfter(
  controller: ResourceRequest,
  list: ListRequest,
  entry: Entry,
  position: number,
): Promise<string | undefined> {
  const { registration } = controller;
  const keys = keysOf(list, registration);
  if (!keys) return undefined;
  const row = entry.row ?? (await storedRow(controller, keys, entry.id));
  if (!row) return undefined;
  const values = valuesOf(keys, row, controller);
  // Values of an order may be of columns that the person does not see.
  return sealerOf(controller, "list cursor").seal(JSON.stringify([position, ...values]), boundTo(list, registration));
}

/** The columns that decide an order, the id among them; undefined for an order that has no cursors. */
export const orderColumns = (list: ListRequest, registration: Registration): string[] | undefined =>
  keysOf(list, registration)?.map(({ column }) => column);

/** The cursor after a row that has at least the columns of the order, as they are stored. */
export function cursorOf(controller: ResourceRequest, list: ListRequest, row: StoredRow, position: number): Cursor {
  const values = valuesOf(keysOf(list, controller.registration) ?? [], row, controller);
  return { position, values: JSON.parse(JSON.stringify(values)) as unknown[] }; // as one that a client sends back
}

function valuesOf(keys: readonly Key[], row: StoredRow, { resources }: ResourceRequest): unknown[] {
  const { sortsEnumsByPosition } = resources.database.driver;
  return keys.map(({ column, info }) => {
    const value = row[column] ?? null;
    return info.values && sortsEnumsByPosition && value !== null ? info.values.indexOf(String(value)) + 1 : value;
  });
}

/** The columns of an order as they are stored for an entry; undefined where its row is deleted, or the order has no cursors. */
export async function orderRow(
  controller: ResourceRequest,
  list: ListRequest,
  entry: Entry,
): Promise<StoredRow | undefined> {
  const keys = keysOf(list, controller.registration);
  return keys && (entry.row ?? (await storedRow(controller, keys, entry.id)));
}

async function storedRow(controller: ResourceRequest, keys: Key[], id: unknown) {
  const { registration, resources, request } = controller;
  const { model } = registration;
  const { database } = resources;
  const columns = keys.map(({ column }) => column);
  const from = database.replicaFor(request) ?? database.knex; // the row as the page has it
  const query = model.key.where(from(model.table).select(columns), id as KeyValue);
  return (await database.rows(query.limit(1)))[0];
}

/** Narrows to the rows after a cursor in the list's order, without reading those before. */
export function applyCursor(
  query: Query<BaseModel>,
  list: ListRequest,
  { values }: Cursor,
  controller: ResourceRequest,
) {
  const { registration, resources } = controller;
  const { driver } = resources.database;
  const terms = (keysOf(list, registration) ?? []).map((key, at) => new Term(key, values[at], registration, driver));
  terms[0]?.from(query);
  query.where((group) => {
    terms.forEach((term, at) => {
      if (!term.hasMore) return;
      group.orWhere((part) => {
        for (const before of terms.slice(0, at)) before.same(part as unknown as Query<BaseModel>);
        term.beyond(part as unknown as Query<BaseModel>);
      });
    });
  });
}

/** The conditions of a key of the order for the rows after a value. Nulls come first, and last where it descends. */
class Term {
  readonly #key: Key;
  readonly #value: unknown;
  /** The column, and the value, so that they compare as they are sorted: an enum by its number where it sorts so, exact numbers as such. */
  readonly #left: string;
  readonly #right: string;
  readonly #column: string;

  constructor(key: Key, value: unknown, { model }: Registration, driver: Driver) {
    const { type, values } = key.info;
    this.#key = key;
    this.#value = value;
    this.#column = `${model.table}.${key.column}`;
    this.#left = driver.sortsEnumsByPosition && values ? "?? + 0" : "??";
    const isExact = typeof value === "string" && (type === "decimal" || type === "bigint");
    this.#right = (isExact && driver.exactNumber) || "?";
  }

  /** Whether any value comes after this one. */
  get hasMore(): boolean {
    return this.#value !== null || !this.#key.descending;
  }
  same(query: Query<BaseModel>): void {
    if (this.#value === null) query.whereNull(this.#column);
    else this.#compare(query, "=");
  }
  beyond(query: Query<BaseModel>): void {
    const { descending, info } = this.#key;
    if (this.#value === null) query.whereNotNull(this.#column);
    else if (!descending) this.#compare(query, ">");
    else if (!info.nullable) this.#compare(query, "<");
    else
      query.where((either) => {
        this.#compare(either as unknown as Query<BaseModel>, "<");
        either.orWhereNull(this.#column);
      });
  }
  /** A condition that all rows after the value meet: the database reads an index of the first key from there on. */
  from(query: Query<BaseModel>): void {
    const { descending, info } = this.#key;
    if (this.#value !== null && !(descending && info.nullable)) this.#compare(query, descending ? "<=" : ">=");
  }
  #compare(query: Query<BaseModel>, sign: string): void {
    query.whereRaw(`${this.#left} ${sign} ${this.#right}`, [this.#column, this.#value as string]);
  }
}
