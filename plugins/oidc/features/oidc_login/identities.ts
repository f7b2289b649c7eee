import { createHash } from "node:crypto";
import type { AuthlibBase } from "framewright/plugins/authlib";
import { encodeDate, isDuplicate, type Knex, type Transaction } from "framewright/plugins/database";
import type { Subject } from "../../contract.ts";
import type { FoundIdentity } from "./pending.ts";

const table = "oidc_identities";
/** How many sign-ins one message of a provider ends. */
const MAX_ENDED = 1000;
type Bound = Pick<FoundIdentity, "issuer" | "subject" | "sid">;

/** An identity of an account, as it is stored. */
export interface IdentityRow {
  readonly id: number;
  readonly account_id: number;
  readonly provider: string;
  readonly email: string | null;
  readonly created_at: unknown;
  readonly last_use: unknown;
  /** Set until the owner has reviewed it. */
  readonly review_since: unknown;
}

/** The digests of a session at a provider. */
const sidDigestOf = (issuer: string, sid: string): string => digestOf({ issuer: `${issuer} sid`, subject: sid });

/** Subjects are case-sensitive, and columns of texts often are not. */
const digestOf = ({ issuer, subject }: Subject): string =>
  createHash("sha256")
    .update(JSON.stringify([issuer, subject]))
    .digest("hex");

/** The identities of an account type, in its table. */
export class Identities {
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
  }
  #rows(connection: Knex = this.#authlib.knex) {
    return connection(this.#authlib.type.table(table));
  }

  async find(subject: Subject): Promise<IdentityRow | undefined> {
    return (await this.#rows()
      .where({ digest: digestOf(subject) })
      .first()) as IdentityRow | undefined;
  }
  async of(accountId: number): Promise<IdentityRow[]> {
    return (await this.#rows().where({ account_id: accountId }).orderBy("id")) as IdentityRow[];
  }
  /** Whether an account has an identity of a provider. */
  async has(accountId: number, provider: string): Promise<boolean> {
    return (await this.#rows().where({ account_id: accountId, provider }).first("id")) !== undefined;
  }
  async use({ id }: IdentityRow, email: string | undefined): Promise<void> {
    const values = { last_use: encodeDate(new Date()), ...(email === undefined ? {} : { email }) };
    await this.#authlib.statement(() => this.#rows().where({ id }).update(values));
  }
  /** Connects an identity to an account; false where it is connected already, to this one or another. */
  async add(accountId: number, found: FoundIdentity, transaction: Transaction): Promise<boolean> {
    const { provider, issuer, subject, email } = found;
    const now = encodeDate(new Date());
    const row = { account_id: accountId, digest: digestOf(found), provider, issuer, subject, email: email ?? null };
    if (await this.#rows(transaction).where({ digest: row.digest }).first("id")) return false;
    try {
      await transaction.transaction((inner) => this.#rows(inner).insert({ ...row, created_at: now, last_use: now }));
    } catch (error) {
      if (isDuplicate(error)) return false; // connected meanwhile
      throw error;
    }
    return true;
  }
  /** Requires a review of the account's identities at the next sign-in. */
  async review(accountId: number, transaction: Transaction): Promise<void> {
    const own = this.#rows(transaction).where({ account_id: accountId });
    await own.whereNull("review_since").update({ review_since: encodeDate(new Date()) });
  }
  /** Stores that the owner keeps all of them. */
  async reviewed(accountId: number): Promise<void> {
    await this.#authlib.statement(() => this.#rows().where({ account_id: accountId }).update({ review_since: null }));
  }
  /** Stores which session there a sign-in came from, so that it ends with it. */
  async bind(accountId: number, signInId: number, { issuer, subject, sid }: Bound): Promise<void> {
    const row = { account_id: accountId, sign_in_id: signInId, subject_digest: digestOf({ issuer, subject }) };
    const sid_digest = sid === undefined ? null : sidDigestOf(issuer, sid);
    await this.#sessions().insert({ ...row, sid_digest });
  }
  /** Ends the sign-ins of a session there, or all of a person where none is named. Returns whose they were. */
  async end(issuer: string, subject: Subject | undefined, sid: string | undefined): Promise<number[]> {
    const own = () => {
      const rows = this.#sessions();
      if (sid !== undefined) void rows.where({ sid_digest: sidDigestOf(issuer, sid) });
      if (subject !== undefined) void rows.where({ subject_digest: digestOf(subject) });
      return rows;
    };
    const found = (await own().limit(MAX_ENDED)) as { account_id: number; sign_in_id: number }[];
    const { knex, type } = this.#authlib;
    const ids = found.map(({ sign_in_id }) => sign_in_id);
    await this.#authlib.statement(() => knex(type.table("active_session_keys")).whereIn("id", ids).delete());
    return [...new Set(found.map(({ account_id }) => Number(account_id)))];
  }
  #sessions() {
    return this.#authlib.knex(this.#authlib.type.table("oidc_sessions"));
  }
  /** Removes an identity; "only" where it is the last one and `keepsOne`. Call it with the account's row locked. */
  async remove(accountId: number, id: number, keepsOne: boolean, transaction: Transaction): Promise<boolean | "only"> {
    const own = () => this.#rows(transaction).where({ account_id: accountId });
    if (keepsOne && !(await own().whereNot({ id }).first("id"))) return "only";
    return (await own().where({ id }).delete()) > 0;
  }
}
