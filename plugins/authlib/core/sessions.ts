import { setTimeout as sleep } from "node:timers/promises";
import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { MailedKeys } from "./mailed_keys.ts";
import { isAbandoned, readSignIn, type SignIn, startSignIn, writeFactors } from "./sign_in.ts";

export type { SignIn } from "./sign_in.ts";

const MINUTE = 60_000;
/** How long a page waits for the note that its sign-in was used. */
const NOTE_MS = 200;
const OLDEST = 60 * 24 * 60 * MINUTE;
const MAX_SWEPT_ROWS = 100;
const place = "accounts";
/** Whose the sign-ins were: what is kept when one ended belongs to them alone. */
const owners = "account_owners";

const isRemembered = ({ rememberKeyId, lastUse }: SignIn) =>
  rememberKeyId !== undefined && Date.now() - lastUse.getTime() < OLDEST;

/** Signed-in sessions: the browser holds a key, the database its digest, so that a session can be ended from anywhere. */
export class SignIns extends MailedKeys {
  signIn: SignIn | undefined;
  #loaded: Promise<AccountRecord | undefined> | undefined;

  /** The key that the browser's session holds for this account type. */
  get sessionKey(): string | undefined {
    const keys = this.session.get(place) as Record<string, string> | undefined;
    const key = keys?.[this.type.name];
    return typeof key === "string" ? key : undefined;
  }

  /** Who is signed in by the browser's session; undefined also while a second factor is pending. */
  load(): Promise<AccountRecord | undefined> {
    this.#loaded ??= this.sessionKey === undefined ? Promise.resolve(undefined) : this.resumeSession(this.sessionKey);
    return this.#loaded;
  }

  /** Loads account and sign-in of a session's key, in one query. Undefined when it ended, or when something is pending. */
  async resumeSession(key: string): Promise<AccountRecord | undefined> {
    const row = await this.#find(key);
    if (!row) return undefined;
    const account = this.recordOf(row);
    const signIn = readSignIn(row, "fw_");
    if (!this.isOpen(account) || !this.isAlive(signIn)) return undefined;
    this.account = account;
    this.signIn = signIn;
    if (Date.now() - signIn.lastUse.getTime() > MINUTE)
      await Promise.race([this.#used(signIn), sleep(NOTE_MS, undefined, { ref: false })]);
    return signIn.pending === undefined ? account : undefined;
  }
  /** Whether a sign-in still holds: one that owes a factor for ten minutes without a request; session expiration says more. */
  isAlive(signIn: SignIn): boolean {
    return Date.now() - signIn.createdAt.getTime() < OLDEST && !isAbandoned(signIn);
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
    const [id] = await this.knex(this.type.table("active_session_keys")).insert(row);
    this.account = account;
    this.signIn = startSignIn(Number(id), factors, pending, now);
    this.#loaded = Promise.resolve(pending === undefined ? account : undefined);
    return key;
  }
  /** Gives the browser's session the key: under a new session id, and a new secret for its forms unless others are signed in. */
  keepSession(key: string): void {
    const { session } = this;
    const others = this.#otherKeys();
    session.renew();
    if (Object.keys(others).length === 0) session.delete("csrf");
    session.setReserved(place, { ...others, [this.type.name]: key });
    const ids = (session.get(owners) ?? {}) as Record<string, number>;
    if (this.account) session.setReserved(owners, { ...ids, [this.type.name]: this.account.id });
  }
  /** The id of who is signed in by this browser, or was last. */
  get ownerId(): number | undefined {
    return this.account?.id ?? (this.session.get(owners) as Record<string, number> | undefined)?.[this.type.name];
  }
  /** Ends the sign-in that another one takes the place of, in the same browser. */
  async endReplaced(): Promise<void> {
    const key = this.sessionKey;
    if (key === undefined) return;
    const digests = this.type.services.digests.all(key);
    await this.knex(this.type.table("active_session_keys")).whereIn("session_digest", digests).delete();
  }
  /** A factor was shown, or privileges changed: the sign-in goes on under a new key. */
  async renewSession(factors: readonly string[], pending?: SignIn["pending"]): Promise<void> {
    const { digests } = this.type.services;
    const key = digests.token();
    const changes = { session_digest: digests.digest(key), factors: writeFactors(factors, pending) };
    await this.knex(this.type.table("active_session_keys")).where({ id: this.signIn!.id }).update(changes);
    Object.assign(this.signIn!, { factors: [...factors], pending });
    this.#loaded = Promise.resolve(pending === undefined ? this.account : undefined);
    if (this.sessionKey !== undefined) this.keepSession(key);
  }
  /** Ends one of the account's sign-ins, of another device; false when it has none of that id. */
  async endSession(id: number): Promise<boolean> {
    const sessions = this.knex(this.type.table("active_session_keys"));
    return (await sessions.where({ id, account_id: this.account!.id }).delete()) > 0;
  }
  /** Ends the sign-in of this browser, of this account type alone. */
  async closeSession(): Promise<void> {
    if (this.signIn) await this.knex(this.type.table("active_session_keys")).where({ id: this.signIn.id }).delete();
    this.forgetSession();
  }
  forgetSession(): void {
    const others = this.#otherKeys();
    const holdsKey = this.sessionKey !== undefined; // else there is nothing to forget, and nothing to write
    if (holdsKey && Object.keys(others).length === 0) this.session.clear();
    else if (holdsKey) this.session.setReserved(place, others);
    this.signIn = undefined;
    this.#loaded = Promise.resolve(undefined);
  }
  /** Ends every way that an account has to be let in: sessions, but for the one that is kept, tokens, mailed links. */
  async killCredentials(account: { id: number }, transaction: Transaction, kept?: SignIn): Promise<void> {
    const sessions = transaction(this.type.table("active_session_keys")).where({ account_id: account.id });
    await (kept ? sessions.whereNot({ id: kept.id }) : sessions).delete();
    for (const { credentials } of this.type.features.values()) {
      for (const table of credentials)
        await transaction(this.type.table(table)).where({ account_id: account.id }).delete();
    }
  }

  /**
   * Ends what killCredentials does, and deletes the account's factors and secrets: opened again, it has none of them. False
   * where there was nothing to end.
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
    const { [this.type.name]: _own, ...others } = (this.session.get(place) ?? {}) as Record<string, string>;
    return others;
  }
  async #find(key: string): Promise<Record<string, unknown> | undefined> {
    const { sessionDigests, services, signedIn } = this.type;
    const [row] = await signedIn.rows(sessionDigests.getOrMake(key, () => services.digests.all(key)));
    return row;
  }
  /** Noted once a minute; a database that takes no writes must not sign anybody out, nor keep a page waiting. */
  async #used({ id }: SignIn): Promise<void> {
    const table = this.type.table("active_session_keys");
    const { log } = this.application;
    await this.knex(table)
      .where({ id })
      .update({ last_use: new Date() })
      .catch((error: Error) => log.warn({ err: error }, `${table} could not be written`));
  }
  /** What has ended by its age goes; a device that is remembered stays listed, as it comes back by itself. */
  async #sweep({ id }: AccountRecord): Promise<void> {
    const sessions = () => this.knex(this.type.table("active_session_keys")).where({ account_id: id });
    const query = sessions().select("id", "factors", "created_at", "last_use", "remember_key_id");
    const rows = await this.type.services.database.rows(query.orderBy("last_use").limit(MAX_SWEPT_ROWS));
    const dead = rows.map((row) => readSignIn(row)).filter((signIn) => !this.isAlive(signIn) && !isRemembered(signIn));
    const ids = dead.map((signIn) => signIn.id);
    if (ids.length > 0) await sessions().whereIn("id", ids).delete();
  }
}
