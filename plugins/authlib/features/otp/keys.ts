import type { AuthlibBase } from "../../base.ts";
import { counterOf } from "./totp.ts";

export const table = "otp_keys";
const LOCKED = 15 * 60_000;

type Row = Record<string, unknown>;

/** The secrets of authenticator apps, as they are stored: sealed, and with the last code that was taken. */
export class OtpKeys {
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
  }

  /** The row of an account whose app is set up. */
  async of(account: { id: number }): Promise<Row | undefined> {
    const query = this.#table.where({ account_id: account.id }).whereNotNull("confirmed_at").limit(1);
    return (await this.#authlib.type.services.database.rows(query))[0];
  }
  seal(secret: string): string {
    return this.#authlib.type.services.sealer("otp secret").seal(secret);
  }
  open(sealed: string): string | undefined {
    return this.#authlib.type.services.sealer("otp secret").open(sealed);
  }
  async store(secret: string, counter: number): Promise<void> {
    const now = new Date();
    const account_id = this.#authlib.account!.id;
    const row = { account_id, secret: this.seal(secret), last_counter: counter, confirmed_at: now, created_at: now };
    await this.#authlib.transaction(async (trx) => {
      await trx(this.#name).where({ account_id }).delete();
      await trx(this.#name).insert(row);
    });
  }
  /** Takes a code that is right and newer than the last one taken; parallel requests with one code take it once. */
  async accept(code: string, maxAttempts: number): Promise<boolean> {
    const row = await this.of(this.#authlib.account!);
    if (!row) return false;
    const key = () => this.#table.where({ id: row.id });
    const now = new Date();
    const secret = this.open(String(row.secret));
    const counter = secret === undefined ? undefined : counterOf(secret, code);
    const free = key().where((any) => any.whereNull("locked_until").orWhere("locked_until", "<", now));
    const taken =
      counter !== undefined &&
      (await free.where("last_counter", "<", counter).update({ last_counter: counter, failures: 0 })) === 1;
    if (taken) return true;
    await key().increment("failures", 1);
    const locked_until = new Date(now.getTime() + LOCKED);
    await key().where("failures", ">=", maxAttempts).update({ failures: 0, locked_until });
    return false;
  }
  /** Recovery codes go with the app that they stand in for. */
  async remove(): Promise<void> {
    const { type, account } = this.#authlib;
    const tables = [table, ...(type.has("recovery_codes") ? ["recovery_codes"] : [])];
    await this.#authlib.transaction(async (trx) => {
      for (const name of tables) await trx(type.table(name)).where({ account_id: account!.id }).delete();
    });
  }

  get #name(): string {
    return this.#authlib.type.table(table);
  }
  get #table() {
    return this.#authlib.knex(this.#name);
  }
}
