import { createHash } from "node:crypto";
import { posix } from "node:path";
import { cleanFilename } from "framewright/host";
import { encodeDate, type Knex, type Schema } from "framewright/plugins/database";
import type { Attachment } from "./contract.ts";
import { errors } from "./errors.ts";

/** A column that had one file of each record: JSON as forms stored it, or the path of a file. */
export interface MovedColumn {
  readonly table: string;
  readonly column: string;
  /** The constant of the model: `Blogging::Paper`. */
  readonly owner: string;
  /** The column of the key; "id" by default. */
  readonly key?: string;
  /** The name of the field; that of the column by default. */
  readonly field?: string;
  /** Of a column of paths: the folder below the application's that they start from. */
  readonly directory?: string;
}

const TABLE = "framewright_attachments";
const BATCH = 500;

/**
 * In a migration: makes attachments of the files that a column has, and removes the column. Nobody downloads them before the
 * application has read what they are, which it does in the background once it serves: files of paths are copied then, others
 * stay where they are.
 * @example await moveColumn(db, { table: "blogging_papers", column: "document", owner: "Blogging::Paper" })
 * @throws FW_ATTACHMENT_PATH for a path that leads out of the directory
 */
export async function moveColumn(db: Schema, moved: MovedColumn): Promise<void> {
  const { table, column, key = "id" } = moved;
  if (!(await db.hasColumn(table, column))) return;
  let after: unknown;
  for (;;) {
    const query = db.knex(table).whereNotNull(column).orderBy(key).limit(BATCH).select(key, column);
    if (after !== undefined) query.where(key, ">", after as number);
    const rows = (await query) as Record<string, unknown>[];
    for (const row of rows) await insertFile(db.knex, moved, row[key], row[column]);
    if (rows.length < BATCH) break;
    after = rows.at(-1)![key];
  }
  await db.removeColumns(table, [column]);
}

/**
 * In a migration: gives a JSON column the files back that `moveColumn` took, of several files of a record the first. A column of
 * paths is there again, and empty: its files have been copied.
 */
export async function restoreColumn(db: Schema, moved: MovedColumn): Promise<void> {
  const { table, column, owner, key = "id", field = column, directory } = moved;
  await db.addColumns(table, (t) => void (directory === undefined ? t.json(column) : t.text(column)));
  if (directory !== undefined) return;
  const of = { owner_type: owner, field };
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

async function insertFile(knex: Knex, moved: MovedColumn, id: unknown, stored: unknown): Promise<void> {
  const { owner, column, field = column, directory } = moved;
  const file = directory === undefined ? jsonFile(stored) : fileAtPath(moved, directory, String(stored));
  const of = { owner_type: owner, owner_id: String(id), field };
  if (
    !file ||
    (await knex(TABLE)
      .where({ ...of, storage_key: file.storage_key })
      .first("id"))
  )
    return; // a run before was killed half-way
  await knex(TABLE).insert({
    ...{ ...of, ...file, tenant: null, position: 0, alternative: null },
    ...{ digest: UNREAD, in_place: false, state: "held", thumbnails: "none" },
    created_at: encodeDate(new Date(0)), // it waits for no request that is about to process it
  });
}

type MovedFile = Pick<Attachment, "storage_key" | "name" | "type" | "size">;

function jsonFile(stored: unknown): MovedFile | undefined {
  const file = (typeof stored === "string" ? JSON.parse(stored) : stored) as Record<string, unknown> | null;
  if (typeof file?.key !== "string") return undefined;
  const name = String(file.filename).slice(0, 255);
  return { storage_key: file.key, name, type: String(file.type).slice(0, 150), size: Number(file.size) };
}

function fileAtPath({ table, column }: MovedColumn, directory: string, path: string): MovedFile | undefined {
  if (path.trim() === "") return undefined;
  const whole = posix.normalize(posix.join(directory, path.replaceAll("\\", "/")));
  if (!whole.startsWith(`${posix.normalize(directory)}/`)) throw errors.FW_ATTACHMENT_PATH(table, column, path);
  return {
    storage_key: PATH + whole,
    name: cleanFilename(posix.basename(whole)),
    type: "application/octet-stream",
    size: 0,
  };
}

/** What the key of a file begins with that is to be copied into the storage: its path follows. */
export const PATH = "path:";
/** In the place of the digest of bytes that were not read yet. */
export const UNREAD = createHash("sha256").update("unread").digest("hex");
