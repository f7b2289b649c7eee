import { createHash } from "node:crypto";
import { decodeDate, type Knex, type Transaction } from "framewright/plugins/database";
import type { AuthlibBase } from "../../base.ts";
import type { SealedRows } from "../../secret_rotation.ts";

export const table = "webauthn_keys";
/** A credential id is no secret, so its digest does not depend on SECRET_KEY_BASE. Digests of earlier releases are keyed, with 64 digits. */
const digestOf = (id: string): string => createHash("sha256").update(id).digest("base64url");

/** Keyed digests of earlier releases: the row contains the credential id, from which the current digest is computed. */
export const keyedDigests: SealedRows = {
  table,
  columns: ["credential_digest", "credential_id"],
  unlike: "_".repeat(43),
  sealState({ credential_digest, credential_id }) {
    const digest = digestOf(String(credential_id));
    return credential_digest === digest ? "current" : { credential_digest: digest };
  },
};

/** A stored passkey. */
export interface Passkey {
  id: number;
  credential_id: string;
  public_key: string;
  sign_count: number;
  account_id: number;
  user_handle: string;
  name: string | null;
  transports: string | null;
  created_at: unknown;
  last_use: unknown;
  /** Set until the owner has reviewed it. */
  review_since: unknown;
}
/** A credential that a browser has registered. */
export interface Credential {
  id: string;
  publicKey: Uint8Array;
  counter: number;
  transports?: string[];
}

/** The stored passkeys of accounts. */
export class PasskeyStore {
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
  }

  async of(account_id: number): Promise<Passkey[]> {
    return this.#rows(this.#table.where({ account_id }).orderBy("id"));
  }
  /** A key of the signed-in account by the id of a form or a query. */
  async mine(id: unknown): Promise<Passkey | undefined> {
    if (typeof id !== "string") return undefined;
    return (await this.of(this.#authlib.account!.id)).find((key) => String(key.id) === id);
  }
  async byCredential(id: string): Promise<Passkey | undefined> {
    const digests = [digestOf(id), ...this.#authlib.type.services.digests.all(id)];
    return (await this.#rows(this.#table.whereIn("credential_digest", digests).limit(1)))[0];
  }
  /** Stores a credential; "known" where this account has it already, "taken" where another account has it. */
  async add(
    credential: Credential,
    { handle, name }: { handle: string; name: string },
    transaction: Transaction,
  ): Promise<"added" | "known" | "taken"> {
    const now = new Date();
    const { type, account } = this.#authlib;
    const credential_digest = digestOf(credential.id);
    const before = type.services.digests.all(credential.id);
    await transaction(type.table(table)).whereIn("credential_digest", before).update({ credential_digest });
    const row = {
      account_id: account!.id,
      credential_digest,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString("base64url"),
      sign_count: credential.counter,
      user_handle: handle,
      transports: (credential.transports ?? []).join(",").slice(0, 100),
      name: name.slice(0, 100),
      created_at: now,
      last_use: null,
    };
    const stored = () => transaction(type.table(table)).where({ credential_digest }).first("account_id");
    const isMine = (found: { account_id: unknown } | undefined) => Number(found?.account_id) === account!.id;
    if (isMine(await stored())) return "known";
    await transaction(type.table(table)).insert(row).onConflict("credential_digest").ignore();
    return isMine(await stored()) ? "added" : "taken";
  }
  async used({ id, credential_id }: Passkey, sign_count: number): Promise<void> {
    const credential_digest = digestOf(credential_id);
    await this.#table.where({ id }).update({ sign_count, credential_digest, last_use: new Date() });
  }
  /**
   * Removes a passkey and ends the sign-ins by passkey, except this one. The account's only way to sign in is "needed" and
   * stays, also when two are removed at once.
   */
  async remove({ id }: Passkey): Promise<"removed" | "gone" | "needed"> {
    const removed = await this.#authlib.changeFactors(async (trx) => {
      if ((await this.needed(trx)) === 1) return "needed";
      if ((await trx(this.#authlib.type.table(table)).where({ id }).delete()) === 0) return "gone";
      await this.#authlib.endWithFactor("webauthn", trx);
      return "removed";
    });
    return removed ?? "gone";
  }
  /** The number of passkeys that are the only way to sign in: all, where the account has no password and no mailed link. */
  async needed(connection: Knex = this.#authlib.knex): Promise<number> {
    const { type, account } = this.#authlib;
    if (type.has("reset_password") || type.has("email_auth")) return 0;
    const own = (name: string) => connection(type.table(name)).where({ account_id: account!.id }).select("id");
    return (await own("password_hashes")).length > 0 ? 0 : (await own(table)).length;
  }
  /** Removes all of the account's passkeys; returns how many there were. */
  async removeAll(transaction: Transaction): Promise<number> {
    const { type, account } = this.#authlib;
    const count = await transaction(type.table(table)).where({ account_id: account!.id }).delete();
    if (count > 0) await this.#authlib.endWithFactor("webauthn", transaction);
    return count;
  }
  /** Requires a review of the current passkeys at the next sign-in. */
  async review(account: { id: number }, transaction: Transaction): Promise<void> {
    const all = transaction(this.#authlib.type.table(table)).where({ account_id: account.id });
    await all.whereNull("review_since").update({ review_since: new Date() });
  }
  async keep(connection: Knex = this.#authlib.knex): Promise<void> {
    const all = connection(this.#authlib.type.table(table)).where({ account_id: this.#authlib.account!.id });
    await all.update({ review_since: null });
  }
  /** The passkeys for pages. */
  async listed(): Promise<{ id: number; name: string | null; created_at: unknown; last_use: unknown }[]> {
    const keys = await this.of(this.#authlib.account!.id);
    return keys.map(({ id, name, created_at, last_use }) => ({
      id,
      name,
      created_at: decodeDate(created_at),
      last_use: last_use == null ? undefined : decodeDate(last_use),
    }));
  }

  get #table() {
    return this.#authlib.knex(this.#authlib.type.table(table));
  }
  async #rows(query: Parameters<AuthlibBase["type"]["services"]["database"]["rows"]>[0]): Promise<Passkey[]> {
    return (await this.#authlib.type.services.database.rows(query)) as unknown as Passkey[];
  }
}
