import type { AuthlibBase } from "../../base.ts";
import type { SealedRows } from "../../resealing.ts";
import { counterOf } from "./totp.ts";

export const table = "otp_keys";
const STORED = "otp key";
/** What rows from before seals named their account are sealed for: the next right code, or a reseal, seals them anew. */
const STORED_BEFORE = "otp secret";
const LOCKED = 15 * 60_000;
const OFFERED = 60 * 60_000;

type Row = Record<string, unknown>;

/** A right code seals its secret under the current SECRET_KEY_BASE; who shows none for long needs a reseal. */
export const sealedKeys: SealedRows = {
  table,
  columns: ["secret", "account_id"],
  standing({ secret, account_id }, { type, any, current }) {
    const [sealed, whose] = [String(secret), `${type.name} ${account_id}`];
    if (current(STORED).open(sealed, whose) !== undefined) return "current";
    const text = any(STORED).open(sealed, whose) ?? any(STORED_BEFORE).open(sealed);
    return text === undefined ? "lost" : { secret: current(STORED).seal(text, whose) };
  },
};

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
  /** For the page that sets an app up: what is stored does not open there, nor what another account was shown. */
  offer(secret: string): string {
    return this.#sealer("otp offer").seal(`${Date.now()} ${secret}`, this.#whose);
  }
  /** The secret that this account's page was given within the last hour. */
  offered(sealed: string): string | undefined {
    const [at, secret] = this.#sealer("otp offer").open(sealed, this.#whose)?.split(" ") ?? [];
    return Date.now() - Number(at) < OFFERED ? secret : undefined;
  }
  /** False when another request set an app up first: that one stays. */
  async store(secret: string, counter: number): Promise<boolean> {
    const now = new Date();
    const account_id = this.#authlib.account!.id;
    const row = { account_id, secret: this.#seal(secret), last_counter: counter, confirmed_at: now, created_at: now };
    const isFirst = !(await this.#authlib.hasSecondFactor());
    const stored = await this.#authlib.changeFactors(async (trx) => {
      await trx(this.#name).insert(row).onConflict("account_id").ignore();
      const isMine = (await trx(this.#name).where({ account_id }).first())?.secret === row.secret;
      if (isMine && isFirst) await this.#authlib.endWithoutFactor(trx);
      return isMine;
    });
    return stored ?? false;
  }
  /** Takes a code that is right and newer than the last one taken; parallel requests with one code take it once. */
  async accept(code: string, maxAttempts: number): Promise<boolean> {
    const row = await this.of(this.#authlib.account!);
    if (!row) return false;
    const key = () => this.#table.where({ id: row.id });
    const now = new Date();
    const secret = this.#open(String(row.secret));
    const counter = secret === undefined ? undefined : counterOf(secret, code);
    const free = key().where((any) => any.whereNull("locked_until").orWhere("locked_until", "<", now));
    const taken =
      counter !== undefined &&
      (await free
        .where("last_counter", "<", counter)
        .update({ last_counter: counter, failures: 0, secret: this.#seal(secret!) })) === 1;
    if (taken) return true;
    await key().increment("failures", 1);
    const locked_until = new Date(now.getTime() + LOCKED);
    await key().where("failures", ">=", maxAttempts).update({ failures: 0, locked_until });
    return false;
  }
  /** Recovery codes go with the app that they stand in for. False when the sign-in was ended meanwhile. */
  async remove(): Promise<boolean> {
    const { type, account } = this.#authlib;
    const tables = [table, ...(type.has("recovery_codes") ? ["recovery_codes"] : [])];
    const removed = await this.#authlib.changeFactors(async (trx) => {
      for (const name of tables) await trx(type.table(name)).where({ account_id: account!.id }).delete();
      return true;
    });
    return removed ?? false;
  }

  #seal(secret: string): string {
    return this.#sealer(STORED).seal(secret, this.#whose);
  }
  #open(sealed: string): string | undefined {
    return this.#sealer(STORED).open(sealed, this.#whose) ?? this.#sealer(STORED_BEFORE).open(sealed);
  }
  #sealer(purpose: string) {
    return this.#authlib.type.services.sealer(purpose);
  }
  get #whose(): string {
    return `${this.#authlib.type.name} ${this.#authlib.account!.id}`;
  }
  get #name(): string {
    return this.#authlib.type.table(table);
  }
  get #table() {
    return this.#authlib.knex(this.#name);
  }
}
