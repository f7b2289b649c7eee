import { decodeDate } from "framewright/plugins/database";
import type { AuthlibBase } from "../../base.ts";

export const table = "otp_unlocks";
/** The time between two attempts: the app shows a new code every 30 seconds. */
const STEP_MS = 30_000;
/** How long the right codes so far count without another one. */
const LIFETIME_MS = 15 * 60_000;

type Row = Record<string, unknown>;

/**
 * The number of right codes in a row, by sign-in, so that somebody else who knows the password does not reset the owner's
 * count.
 */
export class UnlockProgress {
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
  }

  async read(): Promise<{ codes: number; nextAt: Date | undefined }> {
    const [row] = await this.#authlib.type.services.database.rows(this.#own.limit(1));
    const nextAt = row && (decodeDate(row.next_at) as Date);
    const isFresh = nextAt !== undefined && Date.now() < nextAt.getTime() + LIFETIME_MS;
    return { codes: isFresh ? Number((row as Row).codes) : 0, nextAt };
  }
  /** Reserves an attempt; false where another was made within the last 30 seconds. */
  async claim(): Promise<boolean> {
    const now = new Date();
    const first = { sign_in_id: this.#authlib.signIn!.id, codes: 0, next_at: now };
    await this.#table.insert(first).onConflict("sign_in_id").ignore();
    const next_at = new Date(now.getTime() + STEP_MS);
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
