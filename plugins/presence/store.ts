import { createHash } from "node:crypto";
import { type Database, encodeDate, PluginTable } from "framewright/plugins/database";
import type { RowOwner } from "framewright/plugins/portals";
import { errors } from "./errors.ts";

const TABLE = "framewright_presence";
/** Forms of one record whose people are read. */
const MAX_READ = 20;

/** Whose form of a record is open. */
export interface Editor extends RowOwner {
  readonly record: string;
}
/** A form that is open, as others read it. */
export interface OpenForm {
  readonly name: string;
  readonly portal: string | null;
  readonly tenant: string | null;
  readonly owner_type: string;
  readonly owner_id: string;
  readonly opened_at: Date;
}
interface Row extends OpenForm {
  readonly id: number;
}

/** All statements on the table: a row for each person who has the form of a record open, until it was not seen for a minute. */
export class PresenceStore {
  readonly #database: Database;
  readonly #table: PluginTable<Row>;
  readonly #ttl: number;

  /** `ttl`: milliseconds after which a form that nobody reported counts as closed. */
  constructor(database: Database, ttl: number) {
    this.#database = database;
    this.#ttl = ttl;
    this.#table = new PluginTable<Row>(database, TABLE, errors.FW_PRESENCE_TABLE, { dates: ["opened_at"] });
  }

  /** Whether the table is there. @throws 503 when the database is unavailable */
  isInstalled(): Promise<boolean> {
    return this.#table.exists();
  }

  /** A person's form is open; where it was closed for longer than a minute, it was opened now. */
  async note(editor: Editor, name: string, now = new Date()): Promise<void> {
    const place = placeOf(editor);
    const alive = this.#table.rows({ place }).where("seen_at", ">", this.#closedBefore(now));
    if ((await this.#table.run(alive.update({ seen_at: encodeDate(now), name }))) > 0) return;
    const times = { opened_at: encodeDate(now), seen_at: encodeDate(now) };
    if ((await this.#table.run(this.#table.rows({ place }).update({ ...times, name }))) > 0) return;
    const row = { ...editor, place, name, ...times };
    await this.#table.run(this.#database.knex(TABLE).insert(row).onConflict("place").ignore()); // of a second tab
  }

  /** The forms of a record that others have open, the first opened first. */
  async others(editor: Editor, now = new Date()): Promise<OpenForm[]> {
    const { resource, record, owner_type, owner_id } = editor;
    const rows = await this.#table.read(
      this.#table
        .rows({ resource, record })
        .where("seen_at", ">", this.#closedBefore(now))
        .orderBy("opened_at")
        .limit(MAX_READ),
    );
    return rows.filter((row) => row.owner_type !== owner_type || row.owner_id !== owner_id);
  }

  /** A person's form was closed or saved. */
  async leave(editor: Editor): Promise<void> {
    await this.#table.run(this.#table.rows({ place: placeOf(editor) }).delete());
  }

  /** Deletes what was left by browsers that were ended. */
  async sweep(now = new Date()): Promise<void> {
    await this.#table.run(this.#table.rows().where("seen_at", "<=", this.#closedBefore(now)).delete());
  }

  #closedBefore(now: Date) {
    return encodeDate(new Date(now.getTime() - this.#ttl));
  }
}

/** One row for a person at a record, in a portal and a tenant. */
function placeOf({ resource, record, portal, tenant, owner_type, owner_id }: Editor): string {
  const parts = JSON.stringify([resource, record, portal, tenant, owner_type, owner_id]);
  return createHash("sha256").update(parts).digest("hex");
}
