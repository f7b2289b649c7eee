import type { Knex } from "knex";
import { type Build, type OmittedColumns, Prepared, type Row, type StoredRow } from "../fast/index.ts";
import { whereOfClass } from "../models/inheritance.ts";
import type { AssociationInfo, ModelInfo } from "../models/model_info.ts";
import type { KeyValue } from "../models/record_key.ts";
import { whereInUse } from "../models/row_mark.ts";

/** The numbers of keys that a select may have: a few statements serve every page. */
const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const;
const MAX_KEYS = 500;
/** Of several columns, whose conditions are alternatives: SQLite bounds their depth. */
const MAX_JOINT_KEYS = 100;

/** Rows by their keys: one statement a table and number of keys, built once. */
export class KeyLookups {
  readonly #knex: () => Knex;
  readonly #selects = new Map<string, Prepared>();

  constructor(knex: () => Knex) {
    this.#knex = knex;
  }

  /** The select of the row with a key. */
  byKey(info: ModelInfo): Prepared {
    const { table, key } = info;
    if (!key.isComposite) return this.#select(info, 1);
    return this.#kept(`by ${table}.${key.columns.join()}`, (knex, values) =>
      whereInUse(whereValues(knex(table).select(`${table}.*`), info, values), info).limit(1),
    );
  }

  /** Whether a row with this key is stored, without any narrowing. */
  async has(info: ModelInfo, key: KeyValue): Promise<boolean> {
    const { table, constant } = info;
    const select = this.#kept(`has ${constant}`, (knex, values) =>
      whereInUse(
        whereOfClass(whereValues(knex(table).select([...info.key.columns]), info, values).limit(1), info),
        info,
      ),
    );
    const [found] = await select.rows(info.key.values(key) ?? []);
    return found !== undefined && info.key.isExact(found, key);
  }

  /** For each row, the row that its foreign key points to, or null. */
  async parentRows(
    association: AssociationInfo,
    rows: readonly StoredRow[],
    options: { knex?: Knex | undefined; omitted?: OmittedColumns | undefined } = {},
  ): Promise<(Row | null)[]> {
    const { target, key: own } = association;
    const { column } = own;
    if (column === undefined) return this.#jointParents(association, rows, options);
    const keys = new Set<unknown>();
    for (const row of rows) {
      const key = row[column];
      if (key !== null && key !== undefined) keys.add(key);
    }
    const found = new Map<unknown, Row>();
    const read = (some: unknown[]) => this.#select(target, some.length).rowsUnmapped(some, { ...options, of: target });
    for (const some of batchesOf([...keys])) for (const row of await read(some)) found.set(row[target.primaryKey], row);
    if ([...found.keys()].some((key) => !keys.has(key)))
      for (const key of keys) if (!found.has(key)) found.set(key, (await read([key]))[0]!); // equal to the database: in another case
    return rows.map((row) => found.get(row[column]) ?? null);
  }

  /** As `parentRows`, by keys of several columns. */
  async #jointParents(
    { key, target }: AssociationInfo,
    rows: readonly StoredRow[],
    options: { knex?: Knex | undefined; omitted?: OmittedColumns | undefined },
  ): Promise<(Row | null)[]> {
    const wanted = new Map<KeyValue, readonly unknown[]>();
    const keys = rows.map((row) => key.of(row));
    keys.forEach((one, at) => {
      if (one !== undefined && one !== null && !wanted.has(one))
        wanted.set(
          one,
          key.columns.map((column) => rows[at]![column]),
        );
    });
    const found = new Map<KeyValue, Row>();
    const read = (some: readonly (readonly unknown[])[]) =>
      this.#selectJoint(target, some.length).rowsUnmapped(some.flat(), { ...options, of: target });
    for (const some of batchesOf([...wanted.values()], MAX_JOINT_KEYS))
      for (const row of await read(some)) found.set(target.key.of(row)!, row);
    if ([...found.keys()].some((one) => !wanted.has(one)))
      for (const [one, values] of wanted) if (!found.has(one)) found.set(one, (await read([values]))[0]!); // equal in another case
    return keys.map((one) => found.get(one!) ?? null);
  }

  #selectJoint(info: ModelInfo, size: number): Prepared {
    const { table, key } = info;
    return this.#kept(`${size} ${table}.${key.columns.join()}`, (knex, values) =>
      whereInUse(
        knex(table)
          .select(`${table}.*`)
          .where((either) => {
            for (let at = 0; at < size; at++)
              either.orWhere((one) => {
                key.names.forEach(
                  (name, part) => void one.where(name, values[at * key.names.length + part] as KeyValue),
                );
              });
          }),
        info,
      ),
    );
  }

  #select(info: ModelInfo, size: number): Prepared {
    const { table, primaryKey } = info;
    return this.#kept(`${size} ${table}.${primaryKey}`, (knex, keys) => {
      const query = knex(table).select(`${table}.*`);
      return keys.length === 1
        ? whereInUse(query.where(`${table}.${primaryKey}`, keys[0] as number), info).limit(1)
        : whereInUse(query.whereIn(`${table}.${primaryKey}`, keys as number[]), info);
    });
  }

  #kept(name: string, build: Build): Prepared {
    let select = this.#selects.get(name);
    if (!select) {
      select = new Prepared(this.#knex, build);
      this.#selects.set(name, select);
    }
    return select;
  }
}

function whereValues(query: Knex.QueryBuilder, { key }: ModelInfo, values: readonly unknown[]): Knex.QueryBuilder {
  key.names.forEach((name, at) => void query.where(name, values[at] as KeyValue));
  return query;
}

/** The keys in batches of these sizes, padded with the last key. */
function* batchesOf<K>(keys: readonly K[], most: number = MAX_KEYS): Iterable<K[]> {
  for (let at = 0; at < keys.length; at += most) {
    const some = keys.slice(at, at + most);
    const size = sizes.find((one) => one >= some.length) ?? most;
    while (some.length < size) some.push(some.at(-1)!);
    yield some;
  }
}
