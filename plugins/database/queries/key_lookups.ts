import type { Knex } from "knex";
import { type Build, type OmittedColumns, Prepared, type Row, type StoredRow } from "../fast/index.ts";
import { whereOfClass } from "../models/inheritance.ts";
import type { AssociationInfo, ModelInfo } from "../models/model_info.ts";
import type { KeyValue } from "../models/record_key.ts";

/** The numbers of keys that a select may have: a few statements serve every page. */
const sizes = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const;
const MAX_KEYS = 500;

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
      whereValues(knex(table).select(`${table}.*`), info, values).limit(1),
    );
  }

  /** Whether a row with this key is stored, without any narrowing. */
  async has(info: ModelInfo, key: KeyValue): Promise<boolean> {
    const { table, constant } = info;
    const select = this.#kept(`has ${constant}`, (knex, values) =>
      whereOfClass(whereValues(knex(table).select([...info.key.columns]), info, values).limit(1), info),
    );
    const [found] = await select.rows(info.key.values(key) ?? []);
    return found !== undefined && info.key.isExact(found, key);
  }

  /** For each row, the row that its foreign key points to, or null. */
  async parentRows(
    { foreignKey, target }: AssociationInfo,
    rows: readonly StoredRow[],
    { knex, omitted }: { knex?: Knex | undefined; omitted?: OmittedColumns | undefined } = {},
  ): Promise<(Row | null)[]> {
    const keys = new Set<unknown>();
    for (const row of rows) {
      const key = row[foreignKey];
      if (key !== null && key !== undefined) keys.add(key);
    }
    const found = new Map<unknown, Row>();
    const read = (some: unknown[]) =>
      this.#select(target, some.length).rowsUnmapped(some, { knex, of: target, omitted });
    for (const some of batchesOf([...keys])) for (const row of await read(some)) found.set(row[target.primaryKey], row);
    if ([...found.keys()].some((key) => !keys.has(key)))
      for (const key of keys) if (!found.has(key)) found.set(key, (await read([key]))[0]!); // equal to the database: in another case
    return rows.map((row) => found.get(row[foreignKey]) ?? null);
  }

  #select({ table, primaryKey }: ModelInfo, size: number): Prepared {
    return this.#kept(`${size} ${table}.${primaryKey}`, (knex, keys) => {
      const query = knex(table).select(`${table}.*`);
      return keys.length === 1
        ? query.where(`${table}.${primaryKey}`, keys[0] as number).limit(1)
        : query.whereIn(`${table}.${primaryKey}`, keys as number[]);
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
function* batchesOf(keys: readonly unknown[]): Iterable<unknown[]> {
  for (let at = 0; at < keys.length; at += MAX_KEYS) {
    const some = keys.slice(at, at + MAX_KEYS);
    const size = sizes.find((one) => one >= some.length) ?? MAX_KEYS;
    while (some.length < size) some.push(some.at(-1));
    yield some;
  }
}
