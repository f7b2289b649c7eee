import { setTimeout as sleep } from "node:timers/promises";
import type { Knex, Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { MailedKeys } from "./mailed_keys.ts";
import { isAbandoned, readSignIn, type SignIn, startSignIn, writeFactors } from "./sign_in.ts";

export type { SignIn } from "./sign_in.ts";

const MINUTE_MS = 60_000;
/** How long a request waits for the update of `last_use`. */
const LAST_USE_TIMEOUT_MS = 200;
const MAX_AGE_MS = 60 * 24 * 60 * MINUTE_MS;
const MAX_SWEPT_ROWS = 100;
const SESSION_KEYS = "accounts";
/** The account ids of the browser's sign-ins. They stay after a sign-in ends: a pending form belongs to one account alone. */
const OWNERS = "account_owners";

const isRemembered = ({ rememberKeyId, lastUse }: SignIn) =>
  rememberKeyId !== undefined && Date.now() - lastUse.getTime() < MAX_AGE_MS;

/** Sign-ins: the browser's session has a key, the database its digest, so that a sign-in can be ended from anywhere. */
export class SignIns extends MailedKeys {
  signIn: SignIn | undefined;
  #loaded: Promise<AccountRecord | undefined> | undefined;

  /** The key of this account type in the browser's session. */
  get sessionKey(): string | undefined {
    const keys = this.session.get(SESSION_KEYS) as Record<string, string> | undefined;
    const key = keys?.[this.type.name];
    return typeof key === "string" ? key : undefined;
  }

  /** The signed-in account; undefined also while a factor is pending. */
  load(): Promise<AccountRecord | undefined> {
    this.#loaded ??= this.#actedFor() ?? this.#own();
    return this.#loaded;
  }
  /** The person that an administrator acts for in this browser: the browser's own sign-in is not looked at. */
  #actedFor(): Promise<AccountRecord> | undefined {
    if (!this.isActing) return undefined;
    this.account = this.request.acting!.person as AccountRecord;
    this.signIn = startSignIn(0, []);
    return Promise.resolve(this.account);
  }
  /** Whether an administrator acts for an account of this type in this browser. */
  get isActing(): boolean {
    return this.request.acting?.accountType === this.type.name;
  }
  #own(): Promise<AccountRecord | undefined> {
    return this.sessionKey === undefined ? Promise.resolve(undefined) : this.resumeSession(this.sessionKey);
  }

  /** Loads account and sign-in of a key, in one query. Undefined where it has ended or something is pending. */
  async resumeSession(key: string): Promise<AccountRecord | undefined> {
    const { sessionDigests, services, signedIn } = this.type;
    const [row] = await signedIn.rows(sessionDigests.getOrMake(key, () => services.digests.all(key)));
    if (!row) return undefined;
    const account = this.recordOf(row);
    const signIn = readSignIn(row, "fw_");
    if (!this.isOpen(account) || !this.isAlive(signIn)) return undefined;
    this.account = account;
    this.signIn = signIn;
    if (Date.now() - signIn.lastUse.getTime() > MINUTE_MS && !this.request.isUnattended)
      await Promise.race([this.#touch(signIn), sleep(LAST_USE_TIMEOUT_MS, undefined, { ref: false })]);
    return signIn.pending === undefined ? account : undefined;
  }
  /** Whether a sign-in is still valid. One with a pending factor ends after ten minutes without a request; sessionExpiration() adds limits. */
  isAlive(signIn: SignIn): boolean {
    return Date.now() - signIn.createdAt.getTime() < MAX_AGE_MS && !isAbandoned(signIn);
  }

  /** Stores a sign-in and returns its key. */
  async openSession(account: AccountRecord, factors: readonly string[], pending?: SignIn["pending"]): Promise<string> {
    const { digests } = this.type.services;
    const key = digests.token();
    const now = new Date();
    await this.#sweep(account);
    const agent = this.request.header("user-agent") ?? "";
    const row = {
      account_id: account.id,
      session_digest: digests.digest(key),
      factors: writeFactors(factors, pending),
      user_agent: agent.slice(0, 255),
      address: this.request.address.slice(0, 45),
      created_at: now,
      last_use: now,
    };
    const [id] = await this.statement(() => this.knex(this.type.table("active_session_keys")).insert(row));
    this.account = account;
    this.signIn = startSignIn(Number(id), factors, pending, now);
    this.#loaded = Promise.resolve(pending === undefined ? account : undefined);
    return key;
  }
  /** Stores the key in the browser's session: under a new session id, and with a new CSRF secret unless other types are signed in. */
  keepSession(key: string): void {
    const { session } = this;
    const others = this.#otherKeys();
    session.renew();
    if (Object.keys(others).length === 0) session.delete("csrf");
    session.setReserved(SESSION_KEYS, { ...others, [this.type.name]: key });
    const ids = (session.get(OWNERS) ?? {}) as Record<string, number>;
    if (this.account) session.setReserved(OWNERS, { ...ids, [this.type.name]: this.account.id });
  }
  /** The id of the account that is signed in by this browser, or was last. */
  get ownerId(): number | undefined {
    return this.account?.id ?? (this.session.get(OWNERS) as Record<string, number> | undefined)?.[this.type.name];
  }
  /** Ends the browser's earlier sign-in, which a new one replaces. */
  async endReplaced(): Promise<void> {
    const key = this.sessionKey;
    if (key === undefined) return;
    const digests = this.type.services.digests.all(key);
    const sessions = () => this.knex(this.type.table("active_session_keys"));
    await this.statement(() => sessions().whereIn("session_digest", digests).delete());
  }
  /** Gives the sign-in a new key: after a factor was shown, or privileges changed. */
  async renewSession(factors: readonly string[], pending?: SignIn["pending"]): Promise<void> {
    const { digests } = this.type.services;
    const key = digests.token();
    const changes = { session_digest: digests.digest(key), factors: writeFactors(factors, pending) };
    const { id } = this.signIn!;
    await this.statement(() => this.knex(this.type.table("active_session_keys")).where({ id }).update(changes));
    Object.assign(this.signIn!, { factors: [...factors], pending });
    this.#loaded = Promise.resolve(pending === undefined ? this.account : undefined);
    if (this.sessionKey !== undefined) this.keepSession(key);
  }
  /** Ends a sign-in of the account by its id; false where there is none. */
  async endSession(id: number, transaction?: Transaction): Promise<boolean> {
    const table = this.type.table("active_session_keys");
    const own = (connection: Knex) => connection(table).where({ id, account_id: this.account!.id }).delete();
    return (await (transaction ? own(transaction) : this.statement(() => own(this.knex)))) > 0;
  }
  /** Signs this browser out of this account type. */
  async closeSession(): Promise<void> {
    const sessions = () => this.knex(this.type.table("active_session_keys"));
    const id = this.signIn?.id;
    if (id !== undefined) await this.statement(() => sessions().where({ id }).delete());
    this.forgetSession();
  }
  forgetSession(): void {
    const others = this.#otherKeys();
    const hasKey = this.sessionKey !== undefined; // without one, the session must not be written
    if (hasKey && Object.keys(others).length === 0) this.session.clear();
    else if (hasKey) this.session.setReserved(SESSION_KEYS, others);
    this.signIn = undefined;
    this.#loaded = Promise.resolve(undefined);
  }
  /** Revokes the account's credentials: sign-ins except `kept`, remembered devices, tokens, mailed links. */
  async killCredentials(account: { id: number }, transaction: Transaction, kept?: SignIn): Promise<void> {
    const sessions = transaction(this.type.table("active_session_keys")).where({ account_id: account.id });
    await (kept ? sessions.whereNot({ id: kept.id }) : sessions).delete();
    for (const { credentials } of this.type.features.values()) {
      for (const table of credentials)
        await transaction(this.type.table(table)).where({ account_id: account.id }).delete();
    }
  }

  /**
   * Revokes what killCredentials() does, and deletes the account's factors and secrets, so that a reopened account has
   * none of them. False where there was nothing to revoke.
   */
  async closeCredentials(account: { id: number }, transaction: Transaction): Promise<boolean> {
    const own = (table: string) => transaction(this.type.table(table)).where({ account_id: account.id });
    let hasAny = (await own("active_session_keys").first("id")) !== undefined;
    await this.killCredentials(account, transaction);
    for (const { owned } of this.type.features.values())
      for (const table of owned) if ((await own(table).delete()) > 0) hasAny = true;
    return hasAny;
  }

  #otherKeys(): Record<string, string> {
    const { [this.type.name]: _own, ...others } = (this.session.get(SESSION_KEYS) ?? {}) as Record<string, string>;
    return others;
  }
  /** Updates `last_use`, once a minute. A database that refuses writes must neither sign anybody out nor delay the page. */
  async #touch({ id }: SignIn): Promise<void> {
    const table = this.type.table("active_session_keys");
    const { log } = this.application;
    const update = () => this.knex(table).where({ id }).update({ last_use: new Date() });
    await this.statement(update).catch((error: Error) => log.warn({ err: error }, `${table} could not be written`));
  }
  /** Deletes expired sign-ins, except those of remembered devices, which sign in again by themselves. */
  async #sweep({ id }: AccountRecord): Promise<void> {
    const sessions = () => this.knex(this.type.table("active_session_keys")).where({ account_id: id });
    const query = sessions().select("id", "factors", "created_at", "last_use", "remember_key_id");
    const rows = await this.type.services.database.rows(query.orderBy("last_use").limit(MAX_SWEPT_ROWS));
    const expired = rows
      .map((row) => readSignIn(row))
      .filter((signIn) => !this.isAlive(signIn) && !isRemembered(signIn));
    const ids = expired.map((signIn) => signIn.id);
    if (ids.length > 0) await this.statement(() => sessions().whereIn("id", ids).delete());
  }
}
