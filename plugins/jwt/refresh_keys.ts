import { randomUUID } from "node:crypto";
import { type Database, decodeDate, type Transaction } from "framewright/plugins/database";
import type { Claims } from "./contract.ts";

type Row = Record<string, unknown>;

/** Which refresh token is the next one: its `jti`, and the second that it is issued in. */
export interface Successor {
  readonly jti: string;
  readonly iat: number;
}
export interface Lifetimes {
  /** Seconds that a refresh token is good for. */
  readonly lifetime: number;
  /** Seconds in which the last spent token is answered with its successor once more. */
  readonly grace: number;
}
interface Digests {
  digest(text: string): string;
  all(text: string): readonly string[];
}

/**
 * The refresh tokens that may be used, as digests. A sign-in is a family: of each two rows are kept, the live token and
 * the one that was spent for it; a token of ours that has neither was spent long ago.
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

  /** Begins the family of a sign-in, and forgets what has run out. */
  async start(account: { id: number }, sid: string, { lifetime }: Lifetimes): Promise<Successor> {
    const now = new Date();
    const first = randomUUID();
    const owner = { account_id: account.id, family: this.#families(sid)[0] };
    await this.#database.transaction((trx) =>
      trx(this.#table).where({ account_id: account.id }).where("deadline", "<", now).delete(),
    );
    // in a transaction of its own: two logins of one account would else wait for each other's locks
    await this.#database.transaction((trx) => this.#insert(trx, owner, first, now, lifetime));
    return successor(first, now);
  }

  /**
   * Spends a token for its successor. Of parallel requests one does so, and one more is given the same successor; any
   * other use of a spent token is "reused": the family ends, and with `end` what else belongs to it. "ended": it had
   * ended before.
   */
  rotate(
    claims: Claims,
    lives: Lifetimes,
    end: (transaction: Transaction) => Promise<void>,
  ): Promise<Successor | "reused" | "ended"> {
    return this.#database.transaction(async (trx) => {
      const found = (await this.#spend(trx, claims, lives)) ?? (await this.#again(trx, claims, lives));
      if (found) return found;
      if ((await this.end(claims.sid, trx)) === 0) return "ended";
      await end(trx);
      return "reused";
    });
  }

  /** Ends the family of a sign-in; returns how many tokens it still had. */
  async end(sid: string, transaction?: Transaction): Promise<number> {
    const { knex } = this.#database;
    return (transaction ?? knex)(this.#table).whereIn("family", this.#families(sid)).delete();
  }
  /** Ends every family of an account, but for that of the sign-in that is kept. */
  async endAll(account: { id: number }, kept: string | undefined, transaction: Transaction): Promise<void> {
    const families = kept === undefined ? [] : this.#families(kept);
    await transaction(this.#table).where({ account_id: account.id }).whereNotIn("family", families).delete();
  }

  /** Past its deadline no token comes here: its signature says when it ends. */
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

  /** Two tabs refresh at once, or an answer was lost: the successor once more, and never a third time. */
  async #again(trx: Transaction, { jti }: Claims, { grace }: Lifetimes): Promise<Successor | undefined> {
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
  /** By the sign-in's key, so that a sign-in leads to its tokens and back. */
  #families(sid: string): string[] {
    return this.#digests.all(sid).map((digest) => digest.slice(0, 36));
  }
}

const successor = (jti: string, at: Date): Successor => ({ jti, iat: Math.floor(at.getTime() / 1000) });
