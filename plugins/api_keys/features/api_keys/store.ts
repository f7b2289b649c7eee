import { setTimeout as sleep } from "node:timers/promises";
import type { AccountRecord, AuthlibBase } from "framewright/plugins/authlib";
import { decodeDate, encodeDate } from "framewright/plugins/database";
import { digestOfKey, hintOf, isWellFormed, newApiKey } from "../../key.ts";
import { readScopes, writeScopes } from "../../scopes.ts";

export const table = "api_keys";
/** How old `last_used_at` may be before it is written again. */
const USE_SPACING_MS = 60_000;
/** How long a request waits for that. */
const USE_TIMEOUT_MS = 200;

/** A key of an account, for its pages. It never contains the key itself. */
export interface ListedApiKey {
  readonly id: number;
  readonly name: string;
  /** The last four characters of the key. */
  readonly hint: string;
  readonly scopes: readonly string[];
  /** Undefined for a key that does not expire. */
  readonly expires_at: Date | undefined;
  readonly is_expired: boolean;
  readonly last_used_at: Date | undefined;
  readonly created_at: Date;
}
/** What a new key gets. */
export interface NewApiKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | undefined;
}
type Row = Readonly<Record<string, unknown>>;

/** The rows of an account type's keys. */
export class ApiKeyStore {
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
  }

  /** The account of a key with what is listed of it; undefined for one that is unknown, expired or revoked. */
  async find(key: string): Promise<{ account: AccountRecord; listed: ListedApiKey } | undefined> {
    if (!isWellFormed(key)) return undefined;
    const { type } = this.#authlib;
    const { table: accounts, columns } = type.model;
    const query = this.#authlib
      .knex({ k: type.table(table) })
      .join(accounts, `${accounts}.id`, "k.account_id")
      .select(...[...columns.keys()].map((column) => `${accounts}.${column}`), ...ownColumns)
      .where("k.key_digest", digestOfKey(key))
      .limit(1);
    const [row] = await type.services.database.rows(query);
    if (!row) return undefined;
    const listed = listedOf(row, "fw_key_");
    return listed.is_expired ? undefined : { account: this.#authlib.recordOf(row), listed };
  }

  /** The keys of an account, the newest first. */
  async list(account: { id: number }): Promise<ListedApiKey[]> {
    const query = this.#rows.where({ account_id: account.id }).orderBy("id", "desc");
    return (await this.#authlib.type.services.database.rows(query)).map((row) => listedOf(row));
  }
  async count(account: { id: number }): Promise<number> {
    const [row] = await this.#rows.where({ account_id: account.id }).count({ count: "id" });
    return Number((row as { count?: unknown } | undefined)?.count ?? 0);
  }

  /** Stores a new key and returns it; undefined where the account has as many as it may. */
  async create(
    account: AccountRecord,
    { name, scopes, expiresAt }: NewApiKey,
    max: number,
  ): Promise<{ id: number; key: string } | undefined> {
    const key = newApiKey();
    const row = {
      account_id: account.id,
      name,
      key_digest: digestOfKey(key),
      key_hint: hintOf(key),
      scopes: writeScopes(scopes),
      expires_at: expiresAt ?? null,
      created_at: new Date(),
    };
    return this.#authlib.transaction(async (trx) => {
      await this.#authlib.lockAccount(account, trx);
      const others = await trx(this.#name).where({ account_id: account.id }).select("id").limit(max);
      if (others.length >= max) return undefined;
      await trx(this.#name).insert(row);
      const stored = (await trx(this.#name).where({ key_digest: row.key_digest }).first("id")) as { id: number };
      return { id: Number(stored.id), key };
    });
  }
  /** Revokes a key of an account; returns its name, or undefined where there is none. */
  async revoke(account: { id: number }, id: number): Promise<string | undefined> {
    const own = { id, account_id: account.id };
    const row = (await this.#rows.where(own).first("name")) as { name: string } | undefined;
    if (!row) return undefined;
    const count = await this.#authlib.statement(() => this.#rows.where(own).delete());
    return count > 0 ? row.name : undefined;
  }

  /** Writes the last use, at most once a minute. A database that refuses writes must neither refuse the key nor delay the answer. */
  async noteUse({ id, last_used_at }: ListedApiKey): Promise<void> {
    const due = new Date(Date.now() - USE_SPACING_MS);
    if (last_used_at && last_used_at > due) return;
    const { log } = this.#authlib.application;
    const update = () =>
      this.#rows
        .where({ id })
        .where((query) => query.whereNull("last_used_at").orWhere("last_used_at", "<=", encodeDate(due)))
        .update({ last_used_at: encodeDate(new Date()) });
    const written = this.#authlib
      .statement(update)
      .catch((err: Error) => log.warn({ err }, `${this.#name} could not be written`));
    await Promise.race([written, sleep(USE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  get #name(): string {
    return this.#authlib.type.table(table);
  }
  get #rows() {
    return this.#authlib.knex(this.#name);
  }
}

const ownColumns = ["id", "name", "key_hint", "scopes", "expires_at", "last_used_at", "created_at"].map(
  (name) => `k.${name} as fw_key_${name}`,
);

function listedOf(row: Row, prefix = ""): ListedApiKey {
  const at = (name: string) => (decodeDate(row[prefix + name]) as Date | null) ?? undefined;
  const expires_at = at("expires_at");
  return {
    id: Number(row[`${prefix}id`]),
    name: String(row[`${prefix}name`]),
    hint: String(row[`${prefix}key_hint`]),
    scopes: readScopes(row[`${prefix}scopes`]),
    expires_at,
    is_expired: expires_at !== undefined && expires_at.getTime() <= Date.now(),
    last_used_at: at("last_used_at"),
    created_at: at("created_at")!,
  };
}
