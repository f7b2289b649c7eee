import { createHash, randomBytes } from "node:crypto";
import type { Session } from "framewright";
import type { Database } from "framewright/plugins/database";

/** What a session contains, as JSON. */
export type SessionData = ReturnType<Session["toJSON"]>;

/** A stored session, with the token of its cookie. */
export interface SessionRow {
  readonly token: string;
  readonly data: SessionData;
  readonly startedAt: number;
  readonly seenAt: number;
}
interface Columns {
  token_hash: string;
  data: string;
  started_at: number | string;
  seen_at: number | string;
}

const TOKEN = /^[\w-]{43}$/;
export const newToken = (): string => randomBytes(32).toString("base64url");
/** The table has hashes alone: who reads it can't come in with them. */
const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The rows of the table fw_sessions. */
export class SessionStore {
  readonly #database: Database;
  readonly #limits: { idle: number; absolute: number };

  constructor(database: Database, limits: { idle: number; absolute: number }) {
    this.#database = database;
    this.#limits = limits;
  }

  /** The session of a token; undefined where there is none, or it has ended. */
  async find(token: string | undefined): Promise<SessionRow | undefined> {
    if (token === undefined || !TOKEN.test(token)) return undefined;
    const row = await this.#rows()
      .where({ token_hash: hashOf(token) })
      .first();
    if (!row) return undefined;
    const [startedAt, seenAt] = [Number(row.started_at), Number(row.seen_at)];
    const now = Date.now();
    if (now - seenAt > this.#limits.idle || now - startedAt > this.#limits.absolute) return undefined;
    const data: SessionData = JSON.parse(row.data);
    return { token, data, startedAt, seenAt };
  }

  /** Stores a session under its token; what it was stored under before is gone. */
  async save(token: string, data: SessionData, former: SessionRow | undefined): Promise<void> {
    const now = Date.now();
    const values = { token_hash: hashOf(token), data: JSON.stringify(data), seen_at: now };
    if (former === undefined) {
      await this.#rows().insert({ ...values, started_at: now });
      return;
    }
    const changed = await this.#rows()
      .where({ token_hash: hashOf(former.token) })
      .update(values);
    if (changed === 0 && former.token !== token) await this.#rows().insert({ ...values, started_at: now });
  }

  /** Removes the sessions that have ended. */
  async sweep(): Promise<void> {
    const { idle, absolute } = this.#limits;
    const now = Date.now();
    await this.#rows()
      .where("seen_at", "<", now - idle)
      .orWhere("started_at", "<", now - absolute)
      .del();
  }

  #rows() {
    return this.#database.knex<Columns>("fw_sessions");
  }
}
