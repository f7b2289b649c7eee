import { createHash } from "node:crypto";
import { decodeDate, type Transaction } from "framewright/plugins/database";
import type { AuthlibBase } from "../../base.ts";
import type { SealedRows } from "../../resealing.ts";

export const table = "webauthn_keys";
/** A credential id is no secret: found by what no rotation of SECRET_KEY_BASE changes. Keyed digests from before are 64 digits. */
const digestOf = (id: string): string => createHash("sha256").update(id).digest("base64url");

/** Keyed digests from before: the row has what it takes to write today's, whatever secret they were made under. */
export const keyedDigests: SealedRows = {
  table,
  columns: ["credential_digest", "credential_id"],
  unlike: "_".repeat(43),
  standing({ credential_digest, credential_id }) {
    const digest = digestOf(String(credential_id));
    return credential_digest === digest ? "current" : { credential_digest: digest };
  },
};

/** A stored passkey. */
export interface Key {
  id: number;
  credential_id: string;
  public_key: string;
  sign_count: number;
  account_id: number;
  user_handle: string;
  name: string | null;
  transports: string | null;
}
/** What a browser has registered. */
export interface Credential {
  id: string;
  publicKey: Uint8Array;
  counter: number;
  transports?: string[];
}

/** The passkeys of accounts, as they are stored. */
export class Keys {
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
  }

  async of(account_id: number): Promise<Key[]> {
    return this.#rows(this.#table.where({ account_id }).orderBy("id"));
  }
  /** A key of the signed-in account by what a form or an address says. */
  async mine(id: unknown): Promise<Key | undefined> {
    if (typeof id !== "string") return undefined;
    return (await this.of(this.#authlib.account!.id)).find((key) => String(key.id) === id);
  }
  async byCredential(id: string): Promise<Key | undefined> {
    const digests = [digestOf(id), ...this.#authlib.type.services.digests.all(id)];
    return (await this.#rows(this.#table.whereIn("credential_digest", digests).limit(1)))[0];
  }
  /** False when another account has this passkey: it stays theirs. */
  async add(
    credential: Credential,
    { handle, name }: { handle: string; name: string },
    transaction: Transaction,
  ): Promise<boolean> {
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
      last_use: now,
    };
    await transaction(type.table(table)).insert(row).onConflict("credential_digest").ignore();
    const stored = await transaction(type.table(table)).where({ credential_digest }).first();
    return Number(stored?.account_id) === account!.id;
  }
  async used({ id, credential_id }: Key, sign_count: number): Promise<void> {
    const credential_digest = digestOf(credential_id);
    await this.#table.where({ id }).update({ sign_count, credential_digest, last_use: new Date() });
  }
  /** With it go the sign-ins that a passkey opened, but for the one that removes it. */
  async remove({ id, account_id }: Key): Promise<boolean> {
    const { type, signIn } = this.#authlib;
    const removed = await this.#authlib.changeFactors(async (trx) => {
      const others = trx(type.table("active_session_keys")).where({ account_id }).whereNot({ id: signIn!.id });
      await others.where("factors", "like", "%webauthn%").delete();
      return (await trx(type.table(table)).where({ id }).delete()) > 0;
    });
    return removed ?? false;
  }
  /** As the page lists them. */
  async listed(): Promise<{ id: number; name: string | null; last_use: unknown }[]> {
    const keys = await this.of(this.#authlib.account!.id);
    return keys.map(({ id, name, ...row }) => ({
      id,
      name,
      last_use: decodeDate((row as { last_use?: unknown }).last_use),
    }));
  }

  get #table() {
    return this.#authlib.knex(this.#authlib.type.table(table));
  }
  async #rows(query: Parameters<AuthlibBase["type"]["services"]["database"]["rows"]>[0]): Promise<Key[]> {
    return (await this.#authlib.type.services.database.rows(query)) as unknown as Key[];
  }
}
