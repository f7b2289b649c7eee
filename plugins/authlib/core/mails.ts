import { randomInt } from "node:crypto";
import { networkOf } from "framewright";
import type { Knex, Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { SPENT } from "../once.ts";
import { isLetPast, letPast } from "./let_past.ts";
import { Passwords } from "./passwords.ts";

/** The kind of job in which a mail is looked into that somebody asked for by typing a login. */
export const REQUESTED = "authlib.requested";

/** Several, so that parallel work does not wait for one row. */
const DECOY_ROWS = 64;

export interface RequestedMail {
  type: string;
  /** The step that looks for the account and mails it. */
  step: string;
  login: string;
  /** Where links lead when no APP_URL says it: development. */
  origin: string | undefined;
}

/** Mails to accounts: rendered from `authlib/<account>_mailer/<name>`, else from the feature's own. */
export class Mails extends Passwords {
  /** Where links in mails lead when no APP_URL says it. */
  origin: string | undefined;

  async mail(
    to: string,
    name: string,
    locals: Record<string, unknown>,
    { account, transaction, decoy }: { account?: AccountRecord; transaction?: Transaction; decoy?: boolean } = {},
  ): Promise<void> {
    const { mailer } = this.type.services;
    const { type } = this;
    await mailer.deliver({
      to,
      names: [`authlib/${type.name}_mailer/${name}`, `authlib/mailer/${name}`],
      subject: this.t(`mails.${name}`, { application: this.request.t("application.name") }),
      locals: { ...locals, account, login: to },
      ...(transaction ? { transaction } : {}),
      ...(decoy ? { decoy } : {}),
    });
  }
  /**
   * The work of a mail with a key, for a login that gets none: how busy a server is after somebody asked must not tell
   * whether anybody has the login. `isStored`: a mail that goes out has a row for its key; `isTold`: it is an event.
   */
  async mailNobody(
    login: string,
    name: string,
    { page, isStored = true, isTold = true }: { page: string; isStored?: boolean; isTold?: boolean },
  ): Promise<void> {
    const key = this.type.services.digests.token();
    if (isStored) await this.transaction((trx) => this.#storeNothing(trx));
    const to = this.loginProblem(login) === undefined ? login : "nobody@nowhere.invalid";
    await this.mail(to, name, { url: this.mailUrl(page, { key }) }, { decoy: true });
    if (isTold && this.type.has("audit_logging")) await this.#storeNothing(this.knex);
  }
  /** Writes as a new key or an event does, into one of a few rows that mean nothing. */
  async #storeNothing(connection: Knex): Promise<void> {
    const { digests } = this.type.services;
    const key_digest = digests.digest(`nothing ${randomInt(DECOY_ROWS)}`);
    const row = { key_digest, spender: digests.token(), deadline: new Date() };
    await connection(SPENT).insert(row).onConflict("key_digest").merge();
  }

  /**
   * Looks into a mail that somebody asked for by typing a login: later, so that the answer takes the same time whether
   * anybody has the login or not.
   */
  async mailLater(step: string, typed: string): Promise<void> {
    const login = this.normalizeLogin(typed);
    const { limits } = this.type.services;
    const key = `${step} ${this.limitKey(login)}`;
    await limits.take("mail", `${key} from ${networkOf(this.request.address)}`, this.request.address);
    if (!(await limits.spare("mail", key))) return; // so many are in the owner's mail by now, and the last link is good
    const requested: RequestedMail = { type: this.type.name, step, login, origin: this.request.origin };
    await this.type.services.jobs.enqueue(REQUESTED, requested);
  }

  /** What tries are counted by. */
  limitKey(login: string): string {
    return `${this.type.name}:${login}`;
  }
  /** What tries of a password are counted by: apart for a browser that showed by a mailed link whose the login is. */
  guessKey(login: string): string {
    return this.isLetPast(login) ? `${this.limitKey(login)} past` : this.limitKey(login);
  }
  isLetPast(login: string): boolean {
    return isLetPast(this.session, this.type.name, login);
  }
  /** Somebody showed by a mailed link that an account is theirs: what strangers tried does not keep them out. */
  async letPast(account: AccountRecord): Promise<void> {
    const login = this.normalizeLogin(this.loginOf(account));
    await this.type.services.limits.forget("login", this.limitKey(login));
    if (!this.wantsJson || this.request.carriesSession) letPast(this.session, this.type.name, login);
  }

  /** An address of one of the account's pages: from the configured host, never the request's. */
  mailUrl(page: string, query: Record<string, string> = {}): string {
    const { appUrl, allowedHosts } = this.request.settings;
    const host = allowedHosts.find((name) => !name.startsWith("*"));
    const configured = appUrl?.origin ?? (host === undefined ? undefined : `https://${host}`);
    const search = new URLSearchParams(query).toString();
    const base = configured ?? this.origin ?? this.request.origin;
    return `${base}${this.type.path(page)}${search === "" ? "" : `?${search}`}`;
  }
}
