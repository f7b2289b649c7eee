import type { Transaction } from "framewright/plugins/database";
import type { AuthlibBase } from "../../base.ts";
import type { SealedRows } from "../../secret_rotation.ts";
import { countWrong, waitsUntil } from "./code_lock.ts";
import { counterOf } from "./totp.ts";

export const table = "otp_keys";
const STORED = "otp key";
/** What rows from before seals named their account are sealed for: the next right code, or a reseal, seals them anew. */
const STORED_BEFORE = "otp secret";
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
/** What came of a code. */
export interface CodeResult {
  isTaken: boolean;
  /** No code is looked at before then. */
  until?: Date | undefined;
  /** Whether this code was the wrong one after which codes wait. */
  hasLocked?: boolean;
}

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
  /** Until when no code is looked at; undefined where one may be typed. */
  async lockedUntil(): Promise<Date | undefined> {
    const row = await this.of(this.#authlib.account!);
    return row && waitsUntil(row);
  }
  /**
   * Takes a code that is right and newer than the last one taken; parallel requests with one code take it once. It is
   * counted as wrong before it is looked at: of parallel codes no more are tried than may be.
   */
  async accept(code: string, maxAttempts: number): Promise<CodeResult> {
    for (;;) {
      const row = await this.of(this.#authlib.account!);
      const until = row && waitsUntil(row);
      if (!row || until) return { isTaken: false, until };
      const counted = countWrong(row, maxAttempts);
      const unchanged = this.#table.where({ id: row.id, failures: row.failures, locks: row.locks });
      if ((await unchanged.update(counted)) !== 1) continue; // another code was counted meanwhile
      const { locked_until } = counted;
      if (!(await this.spend(row, code)))
        return { isTaken: false, until: locked_until ?? undefined, hasLocked: locked_until !== null };
      await this.unlock(row);
      return { isTaken: true };
    }
  }
  /** Uses up a code that is right and newer than the last one; false when it is not. */
  async spend(row: Row, code: string): Promise<boolean> {
    const secret = this.#open(String(row.secret));
    const counter = secret === undefined ? undefined : counterOf(secret, code);
    if (counter === undefined) return false;
    const changes = { last_counter: counter, secret: this.#seal(secret!) };
    return (await this.#table.where({ id: row.id }).where("last_counter", "<", counter).update(changes)) === 1;
  }
  /** Right codes end the wait. They take back one wait, not all: else whoever guesses between two sign-ins would never wait long. */
  async unlock({ id, locks }: Row): Promise<void> {
    const changes = { failures: 0, locks: Math.max(0, Number(locks) - 1), locked_until: null };
    await this.#table.where({ id }).update(changes);
  }
  /** Nothing is counted against the account's codes any more; whether they waited. */
  async forgetWrong(transaction: Transaction): Promise<boolean> {
    const own = () => transaction(this.#name).where({ account_id: this.#authlib.account!.id });
    const waits = (await own().where("locked_until", ">", new Date()).first("id")) !== undefined;
    await own().update({ failures: 0, locks: 0, locked_until: null });
    return waits;
  }
  /** False when the sign-in was ended meanwhile. */
  async remove(): Promise<boolean> {
    const removed = await this.#authlib.changeFactors(async (trx) => {
      await this.removeIn(trx);
      return true;
    });
    return removed ?? false;
  }
  /** False where there was none. */
  async removeIn(transaction: Transaction): Promise<boolean> {
    const count = await transaction(this.#name).where({ account_id: this.#authlib.account!.id }).delete();
    if (count > 0) await this.#authlib.endWithFactor("otp", transaction);
    return count > 0;
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
