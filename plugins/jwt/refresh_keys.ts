import { randomUUID } from "node:crypto";
import { type Database, decodeDate, retried, type Transaction } from "framewright/plugins/database";
import type { Claims } from "./contract.ts";

type Row = Record<string, unknown>;

/** The next refresh token: its `jti`, and its time of issue in seconds. */
export interface Successor {
  readonly jti: string;
  readonly iat: number;
}
export interface Lifetimes {
  /** Seconds for which a refresh token is valid. */
  readonly lifetime: number;
  /** Seconds in which the last spent token may be exchanged for its successor once more. */
  readonly grace: number;
}
interface Digests {
  digest(text: string): string;
  all(text: string): readonly string[];
}

/**
 * The stored refresh tokens, as digests. Each sign-in is a family with two rows: the live token and the one that was spent
 * for it. A valid token without a row was spent earlier.
 */
export class RefreshKeys {
  readonly #database: Database;
  readonly #digests: Digests;
  readonly #table: string;

  constructor(database: Database, digests: Digests, table: string) {
    this.#database = database;
    this.#digests = digests;
    this.#table = table;
  }

  /** Starts the family of a sign-in, and deletes expired tokens. */
  async start(account: { id: number }, sid: string, { lifetime }: Lifetimes): Promise<Successor> {
    const now = new Date();
    const first = randomUUID();
    const owner = { account_id: account.id, family: this.#families(sid)[0] };
    await this.#database.transaction((trx) =>
      trx(this.#table).where({ account_id: account.id }).where("deadline", "<", now).delete(),
    );
    // a separate transaction: else two logins of one account would wait for each other's locks
    await this.#database.transaction((trx) => this.#insert(trx, owner, first, now, lifetime));
    return successor(first, now);
  }

  /**
   * Exchanges a token for its successor. Of parallel requests, one spends it, and one more gets the same successor. Any
   * other use of a spent token is "reused" and ends the family, and by `end` the sign-in. "ended": the family had ended
   * before.
   */
  rotate(
    claims: Claims,
    lives: Lifetimes,
    end: (transaction: Transaction) => Promise<void>,
  ): Promise<Successor | "reused" | "ended"> {
    return this.#database.transaction(async (trx) => {
      const found = (await this.#spend(trx, claims, lives)) ?? (await this.#repeat(trx, claims, lives));
      if (found) return found;
      if ((await this.end(claims.sid, { transaction: trx })) === 0) return "ended";
      await end(trx);
      return "reused";
    });
  }

  /** Ends the family of a sign-in, again after a deadlock, at most `until`; returns how many tokens it still had. */
  async end(
    sid: string,
    { transaction, until }: { transaction?: Transaction; until?: number | undefined } = {},
  ): Promise<number> {
    const { knex } = this.#database;
    const ended = () => (transaction ?? knex)(this.#table).whereIn("family", this.#families(sid)).delete();
    return transaction ? ended() : retried(ended, until);
  }
  /** Ends every family of an account, except that of the sign-in `kept`. */
  async endAll(account: { id: number }, kept: string | undefined, transaction: Transaction): Promise<void> {
    const families = kept === undefined ? [] : this.#families(kept);
    await transaction(this.#table).where({ account_id: account.id }).whereNotIn("family", families).delete();
  }

  /** Spends the live token. Expired tokens were refused before, by their claims. */
  async #spend(trx: Transaction, { jti }: Claims, { lifetime }: Lifetimes): Promise<Successor | undefined> {
    const now = new Date();
    const next = randomUUID();
    const digests = this.#digests.all(jti);
    const live = trx(this.#table).whereIn("token_digest", digests).whereNull("spent_at");
    if ((await live.update({ spent_at: now, successor: next })) !== 1) return undefined;
    const row = (await trx(this.#table).whereIn("token_digest", digests).first()) as Row;
    await trx(this.#table).where({ family: row.family }).whereNot({ id: row.id }).delete();
    await this.#insert(trx, { account_id: row.account_id, family: row.family }, next, now, lifetime);
    return successor(next, now);
  }

  /** Returns the successor a second time, but never a third: two tabs refresh at once, or a response was lost. */
  async #repeat(trx: Transaction, { jti }: Claims, { grace }: Lifetimes): Promise<Successor | undefined> {
    const row = (await trx(this.#table).whereIn("token_digest", this.#digests.all(jti)).first()) as Row | undefined;
    if (!row?.spent_at || typeof row.successor !== "string") return undefined;
    const spentAt = decodeDate(row.spent_at) as Date;
    if (Date.now() - spentAt.getTime() > grace * 1000) return undefined;
    const taken = await trx(this.#table).where({ id: row.id, successor: row.successor }).update({ successor: null });
    return taken === 1 ? successor(row.successor, spentAt) : undefined;
  }

  async #insert(trx: Transaction, owner: Row, jti: string, now: Date, lifetime: number): Promise<void> {
    const deadline = new Date(now.getTime() + lifetime * 1000);
    await trx(this.#table).insert({ ...owner, token_digest: this.#digests.digest(jti), issued_at: now, deadline });
  }
  /** Derived from the sign-in's key, so that a sign-in and its tokens find each other. */
  #families(sid: string): string[] {
    return this.#digests.all(sid).map((digest) => digest.slice(0, 36));
  }
}

const successor = (jti: string, at: Date): Successor => ({ jti, iat: Math.floor(at.getTime() / 1000) });
