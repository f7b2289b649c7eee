import {
  driverOf,
  gatherIndexes,
  indexName,
  type Schema,
  shortName,
  type UniqueIndex,
} from "framewright/plugins/database";
import { BATCH, columns, DELETED_AT, DELETED_BY } from "./columns.ts";
import { errors } from "./errors.ts";
import { IN_USE, USED, wholeUniques } from "./unique_indexes.ts";

/** Options of `addTrash`. */
export interface TrashOptions {
  /** The column of the key; "id" by default. */
  readonly key?: string;
  /** Columns within which records are listed, as that of the tenant: each gets an index of the rows in use. */
  readonly within?: readonly string[];
}

/**
 * In a migration: adds the columns of the trash to a table with the indexes that its lists need, and has its unique indexes
 * leave out what is in the trash. Run again, it does so with unique indexes that were added since.
 * @example await addTrash(db, "blogging_posts", { within: ["organization_id"] });
 * @throws FW_TRASH_INDEX for a unique constraint that is no index of its own
 */
export async function addTrash(
  db: Schema,
  table: string,
  { key = "id", within = [] }: TrashOptions = {},
): Promise<void> {
  await db.addColumns(table, (t) => {
    t.datetime(DELETED_AT);
    t.string(DELETED_BY);
    t.string(BATCH, 36);
    t.index([BATCH]);
    if (db.client !== "mysql") t.index([DELETED_AT, key]);
    for (const column of within) t.index([column, DELETED_AT, key]);
  });
  if (db.client === "mysql") await addNewestFirst(db, table, key);
  for (const column of within) await db.removeIndex(table, [column]); // it begins the one above, which a database may take it for
  const { quote } = driverOf(db.knex).ddl;
  if (db.client === "mysql" && !(await db.hasColumn(table, IN_USE)))
    await db.knex.raw(
      `alter table ${quote(table)} add column ${quote(IN_USE)} tinyint generated always as (case when ${quote(DELETED_AT)} is null then 1 end) virtual`,
    );
  if (db.client === "postgres") await addUsedIndexes(db, table, [[key], ...within.map((column) => [column, key])]);
  for (const index of await wholeUniques(db.knex, table)) await replaceIndex(db, table, index);
}

/**
 * In a migration: removes what `addTrash` has added, and makes its unique indexes whole again.
 * @throws FW_TRASH_FULL while rows are in the trash
 */
export async function removeTrash(db: Schema, table: string): Promise<void> {
  if (!(await db.hasColumn(table, DELETED_AT))) return;
  const [row] = (await db.knex(table).whereNotNull(DELETED_AT).count({ rows: "*" })) as { rows: unknown }[];
  if (Number(row?.rows) > 0) throw errors.FW_TRASH_FULL(table, Number(row?.rows));
  const { tables, ddl } = driverOf(db.knex);
  for (const { name, columns: unique } of await tables.uniques(db.knex, table)) {
    if (!name.endsWith(USED)) continue;
    await db.addIndex(table, unique, { unique: true });
    await db.knex.raw(ddl.dropIndex(table, name));
  }
  for (const { columns: list } of gatherIndexes(await tables.indexes(db.knex, table)))
    if (list[0] !== DELETED_AT && list[1] === DELETED_AT) await db.addIndex(table, [list[0]!]);
  const used = (await tables.indexes(db.knex, table)).filter(({ name }) => name.endsWith(USED));
  for (const name of new Set(used.map((one) => one.name))) await db.knex.raw(ddl.dropIndex(table, name));
  await db.removeColumns(table, [...(db.client === "mysql" ? [IN_USE] : []), ...columns]);
}

/**
 * MariaDB and MySQL would meet an index of the trash, in the order of the key, with one of another column: they read half a table
 * for a page, and sort it. One in the other order they use by itself.
 */
async function addNewestFirst(db: Schema, table: string, key: string): Promise<void> {
  const { ddl, tables } = driverOf(db.knex);
  const name = indexName(table, [DELETED_AT, key], false, ddl.maxNameChars);
  if ((await tables.indexes(db.knex, table)).some((index) => index.name === name)) return;
  await db.knex.raw(
    `create index ${ddl.quote(name)} on ${ddl.quote(table)} (${ddl.quote(DELETED_AT)}, ${ddl.quote(key)} desc)`,
  );
}

/** The new index first: a foreign key may need one of the two. */
async function replaceIndex(db: Schema, table: string, { name, columns: unique }: UniqueIndex): Promise<void> {
  const { ddl, tables } = driverOf(db.knex);
  const own = usedName(db, `${table}_${unique.join("_")}_unique`);
  const present = (await tables.indexes(db.knex, table)).map((index) => index.name);
  if (!present.includes(own)) await createIndex(db, table, { name: own, columns: unique, isUnique: true });
  try {
    await db.knex.raw(ddl.dropIndex(table, name));
  } catch (error) {
    throw Object.assign(errors.FW_TRASH_INDEX(table, name), { cause: error });
  }
}

async function addUsedIndexes(db: Schema, table: string, lists: readonly (readonly string[])[]): Promise<void> {
  const present = (await driverOf(db.knex).tables.indexes(db.knex, table)).map((index) => index.name);
  for (const list of lists) {
    const name = usedName(db, `${table}_${list.join("_")}`);
    if (!present.includes(name)) await createIndex(db, table, { name, columns: list, isUnique: false });
  }
}

async function createIndex(
  db: Schema,
  table: string,
  { name, columns: list, isUnique }: UniqueIndex & { readonly isUnique: boolean },
): Promise<void> {
  const { quote, indexed = quote } = driverOf(db.knex).ddl;
  const kind = isUnique ? "unique index" : "index";
  const parts = list.map(indexed).join(", ");
  const rows = db.client === "mysql" ? `(${parts}, ${quote(IN_USE)})` : `(${parts}) where ${quote(DELETED_AT)} is null`;
  await db.knex.raw(`create ${kind} ${quote(name)} on ${quote(table)} ${rows}`);
}

const usedName = (db: Schema, name: string): string =>
  shortName(name, (driverOf(db.knex).ddl.maxNameChars ?? 64) - USED.length) + USED;
