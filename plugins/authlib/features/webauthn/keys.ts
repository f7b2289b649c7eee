import { decodeDate } from "framewright/plugins/database";
import type { AuthlibBase } from "../../base.ts";

export const table = "webauthn_keys";

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
    const digests = this.#authlib.type.services.digests.all(id);
    return (await this.#rows(this.#table.whereIn("credential_digest", digests).limit(1)))[0];
  }
  async add(credential: Credential, user_handle: string, name: string): Promise<void> {
    const now = new Date();
    await this.#table.insert({
      account_id: this.#authlib.account!.id,
      credential_digest: this.#authlib.type.services.digests.digest(credential.id),
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString("base64url"),
      sign_count: credential.counter,
      user_handle,
      transports: (credential.transports ?? []).join(",").slice(0, 100),
      name: name.slice(0, 100),
      created_at: now,
      last_use: now,
    });
  }
  async used({ id }: Key, sign_count: number): Promise<void> {
    await this.#table.where({ id }).update({ sign_count, last_use: new Date() });
  }
  async remove({ id }: Key): Promise<boolean> {
    return (await this.#table.where({ id }).delete()) > 0;
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
