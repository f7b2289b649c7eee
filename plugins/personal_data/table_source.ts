import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database, Transaction } from "framewright/plugins/database";
import type { Erasure, Person, PersonalSource, PersonalTable } from "./contract.ts";
import { CHUNK } from "./plan.ts";

type Row = Record<string, unknown>;

/** A table of a plugin's own, as a source; nothing where its migration has not run. */
export function tableSource(database: Database, given: PersonalTable): PersonalSource {
  const { name, table, owner = { type: "owner_type", id: "owner_id" }, shown, erase, mentions = [] } = given;
  const { files = () => [], parts = [] } = given;
  const isThere = whenInstalled(database, table);
  return {
    name,
    async *rows(person) {
      if (owner === false || !shown || !(await isThere())) return;
      for await (const rows of ownRows(database, table, owner, person))
        for (const row of rows) yield Object.fromEntries(shown.map((column) => [column, row[column]]));
    },
    async erase(erasure) {
      if (!erasure.hasTable(table)) return;
      if (owner !== false && erase) await eraseRows(database, { table, owner, erase, files, parts }, erasure);
      if (mentions.length > 0) await replaceNames(database, table, mentions, erasure);
    },
  };
}

/** Whether a table is there; read again until it is. */
function whenInstalled(database: Database, table: string): () => Promise<boolean> {
  let isThere = false;
  return async () => {
    isThere ||= (await database.tables()).includes(table);
    return isThere;
  };
}

/** The rows of a table that name the person as their owner, some at a time. */
export async function* ownRows(
  database: Database,
  table: string,
  owner: { readonly type: string; readonly id: string },
  { id, type, owns }: Person,
  transaction?: Transaction,
): AsyncGenerator<Row[]> {
  const acted = `% by ${type.name} ${id}`;
  for await (const rows of rowsWhere(
    database,
    table,
    (query) => query.where((one) => void one.where(owner.id, id).orWhere(owner.type, "like", acted)),
    transaction,
  )) {
    const own = rows.filter((row) => owns(row[owner.type], row[owner.id]));
    if (own.length > 0) yield own;
  }
}

type Query = ReturnType<Database["knex"]>;

/** The rows of a table with an `id` that a condition finds, some at a time. */
export async function* rowsWhere(
  database: Database,
  table: string,
  condition: (query: Query) => Query,
  transaction?: Transaction,
): AsyncGenerator<Row[]> {
  let last: unknown;
  for (;;) {
    const query = condition((transaction ?? database.knex)(table) as Query)
      .orderBy("id")
      .limit(CHUNK);
    if (last !== undefined) query.where("id", ">", last as number);
    const rows = (await (transaction ? query : database.rows(query as never))) as Row[];
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK) return;
    last = rows.at(-1)!.id;
    await nextTurn();
  }
}

type Erasing = Required<Pick<PersonalTable, "table" | "erase" | "files" | "parts">> & {
  owner: { type: string; id: string };
};

async function eraseRows(
  database: Database,
  { table, owner, erase, files, parts }: Erasing,
  erasure: Erasure,
): Promise<void> {
  const { person, transaction } = erasure;
  for await (const rows of ownRows(database, table, owner, person, transaction)) {
    const ids = rows.map(({ id }) => id as number);
    if (erase === "delete") {
      for (const row of rows) for (const key of files(row)) erasure.deleteFile(key);
      for (const part of parts)
        if (erasure.hasTable(part.table)) await transaction(part.table).whereIn(part.column, ids).delete();
      await transaction(table).whereIn("id", ids).delete();
      continue;
    }
    for (const row of rows) {
      const change = erase(row, erasure);
      if (change) await transaction(table).where({ id: row.id }).update(change);
    }
  }
}

/** A name as a pattern: any letters in the place of those that lower() of some databases leaves as they are, as "Ä". */
const findable = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[!%_]/g, "!$&")
    .replace(/\P{ASCII}+/gu, "%");

/** Replaces the person's names in columns of everybody's rows. */
export async function replaceNames(
  database: Database,
  table: string,
  columns: readonly string[],
  { person, transaction, anonymised }: Erasure,
): Promise<void> {
  if (person.names.length === 0) return;
  const patterns = person.names.map((name) => `%${findable(name)}%`);
  const found = (query: Query) =>
    query.where((any) => {
      for (const column of columns)
        for (const pattern of patterns) any.orWhereRaw("lower(??) like ? escape '!'", [column, pattern]);
    });
  for await (const rows of rowsWhere(database, table, found, transaction))
    for (const row of rows) {
      const change: Row = {};
      for (const column of columns) {
        const text = row[column];
        if (typeof text === "string" && anonymised(text) !== text) change[column] = anonymised(text);
      }
      if (Object.keys(change).length > 0) await transaction(table).where({ id: row.id }).update(change);
    }
}
