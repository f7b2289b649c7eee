import { type Database, encodeDate, PluginTable, type Transaction } from "framewright/plugins/database";
import { errors } from "./errors.ts";

const TABLE = "framewright_impersonations";
const DAY_MS = 86_400_000;
/** Days for which an ended row is stored, as the log of accounts is. */
const KEPT_DAYS = 365;
/** Rows that one sweep ends. */
const MAX_ENDED = 1000;

/** Why it ended: as the row states it, and the text that people get. */
export type EndedBy = "end" | "time" | "actor" | "person" | "policy";

/** An administrator who acts for a person, or did. */
export interface ImpersonationRow {
  readonly id: number;
  readonly key_digest: string;
  readonly actor_type: string;
  readonly actor_id: number;
  /** The id of the administrator's sign-in. */
  readonly actor_sign_in: number;
  readonly person_type: string;
  readonly person_id: number;
  /** The portal and the tenant in which the administrator began. */
  readonly portal: string | null;
  readonly tenant: string | null;
  /** JSON: the place of the administrator's request, where the policy is checked again. */
  readonly place: string;
  readonly started_at: Date;
  readonly ends_at: Date;
  readonly ended_at: Date | null;
  readonly ended_by: EndedBy | null;
}
type NewRow = Omit<ImpersonationRow, "id" | "ended_at" | "ended_by">;

/** All statements on the table. */
export class ImpersonationStore {
  readonly #table: PluginTable<ImpersonationRow>;

  constructor(database: Database) {
    this.#table = new PluginTable<ImpersonationRow>(database, TABLE, errors.FW_IMPERSONATION_TABLE, {
      dates: ["started_at", "ends_at", "ended_at"],
      numbers: ["id", "actor_id", "actor_sign_in", "person_id"],
    });
  }

  /** Whether the table is there. @throws 503 when the database is unavailable */
  isInstalled(): Promise<boolean> {
    return this.#table.exists();
  }
  async start(row: NewRow, transaction: Transaction): Promise<void> {
    const times = { started_at: encodeDate(row.started_at), ends_at: encodeDate(row.ends_at) };
    await this.#table.run(this.#table.rows({}, transaction).insert({ ...row, ...times }));
  }
  async find(digests: readonly string[]): Promise<ImpersonationRow | undefined> {
    const [row] = await this.#table.read(
      this.#table
        .rows()
        .whereIn("key_digest", [...digests])
        .limit(1),
    );
    return row;
  }
  /** Ends one; false where it has ended already. */
  async end({ id }: { id: number }, by: EndedBy): Promise<boolean> {
    const open = this.#table.rows({ id, ended_at: null });
    return (await this.#table.run(open.update({ ended_at: encodeDate(new Date()), ended_by: by }))) > 0;
  }
  /** The open ones of an account, on one side, whose time is not over. */
  openOf(side: "actor" | "person", type: string, id: number): Promise<ImpersonationRow[]> {
    const values = { [`${side}_type`]: type, [`${side}_id`]: id };
    return this.#table.read(this.#open(new Date(), values));
  }
  /** How many are open. */
  async countOpen(now = new Date()): Promise<number> {
    const [found] = (await this.#table.run(this.#open(now).count({ count: "*" }))) as { count: unknown }[];
    return Number(found?.count ?? 0);
  }
  /** Those whose time is over, and which nothing has ended. */
  expired(now: Date): Promise<ImpersonationRow[]> {
    const rows = this.#table.rows({ ended_at: null }).where("ends_at", "<=", encodeDate(now));
    return this.#table.read(rows.orderBy("id").limit(MAX_ENDED));
  }
  #open(now: Date, values: object = {}) {
    return this.#table.rows({ ...values, ended_at: null }).where("ends_at", ">", encodeDate(now));
  }
  /** Deletes old rows. */
  async deleteOld(now: Date): Promise<void> {
    const before = encodeDate(new Date(now.getTime() - KEPT_DAYS * DAY_MS));
    await this.#table.run(this.#table.rows().where("started_at", "<", before).delete());
  }
}
