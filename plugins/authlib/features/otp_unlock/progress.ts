import { decodeDate } from "framewright/plugins/database";
import type { AuthlibBase } from "../../base.ts";

export const table = "otp_unlocks";
/** Milliseconds between two codes: the app shows another one every half minute. */
const STEP = 30_000;
/** Milliseconds after which right codes are forgotten when no other follows. */
const DEADLINE = 15 * 60_000;

type Row = Record<string, unknown>;

/**
 * How many codes in a row were right: counted for each sign-in apart, so that who else knows the password sets nobody
 * back but themselves.
 */
export class Progress {
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
  }

  async read(): Promise<{ codes: number; nextAt: Date | undefined }> {
    const [row] = await this.#authlib.type.services.database.rows(this.#own.limit(1));
    const nextAt = row && (decodeDate(row.next_at) as Date);
    const isFresh = nextAt !== undefined && Date.now() < nextAt.getTime() + DEADLINE;
    return { codes: isFresh ? Number((row as Row).codes) : 0, nextAt };
  }
  /** Takes the right to try one code; false while another one was tried within the last half minute. */
  async claim(): Promise<boolean> {
    const now = new Date();
    const first = { sign_in_id: this.#authlib.signIn!.id, codes: 0, next_at: now };
    await this.#table.insert(first).onConflict("sign_in_id").ignore();
    const next_at = new Date(now.getTime() + STEP);
    return (await this.#own.where("next_at", "<=", now).update({ next_at })) === 1;
  }
  async store(codes: number): Promise<void> {
    await this.#own.update({ codes });
  }
  async clear(): Promise<void> {
    await this.#own.delete();
  }

  get #own() {
    return this.#table.where({ sign_in_id: this.#authlib.signIn!.id });
  }
  get #table() {
    return this.#authlib.knex(this.#authlib.type.table(table));
  }
}
