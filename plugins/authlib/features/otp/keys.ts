import type { Transaction } from "framewright/plugins/database";
import type { AuthlibBase } from "../../base.ts";
import type { SealedRows } from "../../secret_rotation.ts";
import { codesLockedUntil, countWrong } from "./code_lock.ts";
import { counterOf } from "./totp.ts";

export const table = "otp_keys";
const PURPOSE = "otp key";
/** The purpose of rows of earlier releases, not bound to their account: the next right code, or a reseal, encrypts them again. */
const FORMER_PURPOSE = "otp secret";
const OFFER_LIFETIME_MS = 60 * 60_000;

type Row = Record<string, unknown>;

/** A right code encrypts its secret with the current SECRET_KEY_BASE; unused secrets need `fw authlib:reseal`. */
export const sealedKeys: SealedRows = {
  table,
  columns: ["secret", "account_id"],
  sealState({ secret, account_id }, { type, any, current }) {
    const [sealed, whose] = [String(secret), `${type.name} ${account_id}`];
    if (current(PURPOSE).open(sealed, whose) !== undefined) return "current";
    const text = any(PURPOSE).open(sealed, whose) ?? any(FORMER_PURPOSE).open(sealed);
    return text === undefined ? "lost" : { secret: current(PURPOSE).seal(text, whose) };
  },
};
/** The result of a code. */
export interface CodeResult {
  isTaken: boolean;
  /** When the lock of codes ends. */
  until?: Date | undefined;
  /** Whether this code has locked codes. */
  hasLocked?: boolean;
}

/** The stored secrets of authenticator apps, encrypted, with the last code that was used. */
export class OtpKeys {
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
  }

  /** The row of an account with an app. */
  async of(account: { id: number }): Promise<Row | undefined> {
    const query = this.#table.where({ account_id: account.id }).whereNotNull("confirmed_at").limit(1);
    return (await this.#authlib.type.services.database.rows(query))[0];
  }
  /** Encrypts a new secret for the setup page. It is bound to the account, and differs from stored ones. */
  offer(secret: string): string {
    return this.#sealer("otp offer").seal(`${Date.now()} ${secret}`, this.#whose);
  }
  /** The secret that this account's setup page got within the last hour. */
  offered(sealed: string): string | undefined {
    const [at, secret] = this.#sealer("otp offer").open(sealed, this.#whose)?.split(" ") ?? [];
    return Date.now() - Number(at) < OFFER_LIFETIME_MS ? secret : undefined;
  }
  /** Stores the secret of an app; false where another request was first. */
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
  /** When the lock of codes ends; undefined where codes are accepted. */
  async lockedUntil(): Promise<Date | undefined> {
    const row = await this.of(this.#authlib.account!);
    return row && codesLockedUntil(row);
  }
  /**
   * Accepts a code that is right and newer than the last one used; of parallel requests with one code, once. Each code is
   * counted as wrong before it is checked, so that parallel codes never exceed the limit.
   */
  async accept(code: string, maxAttempts: number): Promise<CodeResult> {
    for (;;) {
      const row = await this.of(this.#authlib.account!);
      const until = row && codesLockedUntil(row);
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
  /** Spends a code that is right and newer than the last one; else false. */
  async spend(row: Row, code: string): Promise<boolean> {
    const secret = this.#open(String(row.secret));
    const counter = secret === undefined ? undefined : counterOf(secret, code);
    if (counter === undefined) return false;
    const changes = { last_counter: counter, secret: this.#seal(secret!) };
    return (await this.#table.where({ id: row.id }).where("last_counter", "<", counter).update(changes)) === 1;
  }
  /** Unlocks codes after right ones. Takes back one lock, not all: else guesses between two sign-ins of the owner would never lock for long. */
  async unlock({ id, locks }: Row): Promise<void> {
    const changes = { failures: 0, locks: Math.max(0, Number(locks) - 1), locked_until: null };
    await this.#table.where({ id }).update(changes);
  }
  /** Resets the failures of the account's codes; returns whether they were locked. */
  async resetFailures(transaction: Transaction): Promise<boolean> {
    const own = () => transaction(this.#name).where({ account_id: this.#authlib.account!.id });
    const wasLocked = (await own().where("locked_until", ">", new Date()).first("id")) !== undefined;
    await own().update({ failures: 0, locks: 0, locked_until: null });
    return wasLocked;
  }
  /** Removes the app; false where the sign-in has ended meanwhile. */
  async remove(): Promise<boolean> {
    const removed = await this.#authlib.changeFactors(async (trx) => {
      await this.removeIn(trx);
      return true;
    });
    return removed ?? false;
  }
  /** Removes the app in a transaction; false where there was none. */
  async removeIn(transaction: Transaction): Promise<boolean> {
    const count = await transaction(this.#name).where({ account_id: this.#authlib.account!.id }).delete();
    if (count > 0) await this.#authlib.endWithFactor("otp", transaction);
    return count > 0;
  }

  #seal(secret: string): string {
    return this.#sealer(PURPOSE).seal(secret, this.#whose);
  }
  #open(sealed: string): string | undefined {
    return this.#sealer(PURPOSE).open(sealed, this.#whose) ?? this.#sealer(FORMER_PURPOSE).open(sealed);
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
