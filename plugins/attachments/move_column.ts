import { createHash } from "node:crypto";
import { encodeDate, type Knex, type Schema } from "framewright/plugins/database";

/** A JSON column that had one file of each record. */
export interface MovedColumn {
  readonly table: string;
  readonly column: string;
  /** The constant of the model: `Blogging::Paper`. */
  readonly owner: string;
  /** The column of the key; "id" by default. */
  readonly key?: string;
}

const TABLE = "framewright_attachments";
const BATCH = 500;

/**
 * In a migration: makes attachments of the files that a column has, whose bytes stay where they are, and removes the column.
 * Nobody downloads them before the application has read their types, which it does in the background once it serves.
 * @example await moveColumn(db, { table: "blogging_papers", column: "document", owner: "Blogging::Paper" })
 */
export async function moveColumn(db: Schema, { table, column, owner, key = "id" }: MovedColumn): Promise<void> {
  if (!(await db.hasColumn(table, column))) return;
  let after: unknown;
  for (;;) {
    const query = db.knex(table).whereNotNull(column).orderBy(key).limit(BATCH).select(key, column);
    if (after !== undefined) query.where(key, ">", after as number);
    const rows = (await query) as Record<string, unknown>[];
    for (const row of rows) await insertFile(db.knex, { owner, id: row[key], field: column }, row[column]);
    if (rows.length < BATCH) break;
    after = rows.at(-1)![key];
  }
  await db.removeColumns(table, [column]);
}

/** In a migration: gives a column the files back that `moveColumn` took. Of several files of a record the first is kept. */
export async function restoreColumn(db: Schema, { table, column, owner, key = "id" }: MovedColumn): Promise<void> {
  await db.addColumns(table, (t) => void t.json(column));
  const of = { owner_type: owner, field: column };
  for (;;) {
    const rows = (await db.knex(TABLE).where(of).orderBy("position", "desc").limit(BATCH)) as Stored[];
    for (const { id, owner_id, storage_key, name: filename, type, size } of rows) {
      const file = JSON.stringify({ key: storage_key, filename, type, size: Number(size) });
      await db
        .knex(table)
        .where(key, owner_id)
        .update({ [column]: file });
      await db.knex(TABLE).where({ id }).delete();
    }
    if (rows.length < BATCH) return;
  }
}

interface Stored {
  readonly id: number;
  readonly owner_id: string;
  readonly storage_key: string;
  readonly name: string;
  readonly type: string;
  readonly size: number | string;
}

async function insertFile(
  knex: Knex,
  { owner, id, field }: { owner: string; id: unknown; field: string },
  stored: unknown,
): Promise<void> {
  const file = (typeof stored === "string" ? JSON.parse(stored) : stored) as Record<string, unknown> | null;
  if (typeof file?.key !== "string") return;
  if (await knex(TABLE).where({ storage_key: file.key }).first("id")) return; // a run before was killed half-way
  await knex(TABLE).insert({
    ...{ owner_type: owner, owner_id: String(id), field, tenant: null, storage_key: file.key },
    ...{ name: String(file.filename).slice(0, 255), type: String(file.type).slice(0, 150), size: Number(file.size) },
    ...{ digest: UNREAD, position: 0, alternative: null, in_place: false, state: "held", thumbnails: "none" },
    created_at: encodeDate(new Date(0)), // it waits for no attachment that a request is about to process
  });
}

/** In the place of the digest of bytes that were not read yet. */
export const UNREAD = createHash("sha256").update("unread").digest("hex");
