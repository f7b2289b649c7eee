import { createHash } from "node:crypto";
import type { AuthlibBase } from "framewright/plugins/authlib";
import { encodeDate, isDuplicate, type Knex, type Transaction } from "framewright/plugins/database";
import type { Subject } from "../../contract.ts";
import type { FoundIdentity } from "./pending.ts";

const table = "oidc_identities";

/** An identity of an account, as it is stored. */
export interface IdentityRow {
  readonly id: number;
  readonly account_id: number;
  readonly provider: string;
  readonly email: string | null;
  readonly created_at: unknown;
  readonly last_use: unknown;
}

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
  async remove(accountId: number, id: number, transaction: Transaction): Promise<boolean> {
    return (await this.#rows(transaction).where({ account_id: accountId, id }).delete()) > 0;
  }
}
