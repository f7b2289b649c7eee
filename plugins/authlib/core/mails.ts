import { randomInt } from "node:crypto";
import { networkOf } from "framewright/host";
import type { Knex, Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { SPENT, spendOnce } from "../spent_keys.ts";
import { isLetPast, letPast } from "./lockout_bypass.ts";
import { type KeyOptions, SPACING_MS } from "./mailed_keys.ts";
import { Passwords } from "./passwords.ts";

/** The kind of job in which a mail is looked into that somebody asked for by typing a login. */
export const REQUESTED = "authlib.requested";

/** Several, so that parallel work does not wait for one row. */
const DECOY_ROWS = 64;
/** How long after its time a row that was spent stays at most. */
const DECOY_MS = 60_000;

export interface RequestedMail {
  type: string;
  /** The step that looks for the account and mails it. */
  step: string;
  login: string;
  /** Where links lead when no APP_URL says it: development. */
  origin: string | undefined;
}

export interface MailOptions {
  account?: AccountRecord;
  transaction?: Transaction;
  /** Nobody gets it: it is the work of a mail, and no more. */
  decoy?: boolean;
  /** The text of its subject, below `authlib.`; `mails.<name>` unless told. */
  subject?: string;
}

export interface KeyMail extends KeyOptions {
  /** The table of its keys, after the account's name. */
  table: string;
  /** The mail's name. */
  name: string;
  /** Where the link leads, below `/<account_plural>/`. */
  page: string;
}

/** Mails to accounts: rendered from `authlib/<account>_mailer/<name>`, else from the feature's own. */
export class Mails extends Passwords {
  /** Where links in mails lead when no APP_URL says it. */
  origin: string | undefined;

  async mail(
    to: string,
    name: string,
    locals: Record<string, unknown>,
    { account, transaction, decoy, subject }: MailOptions = {},
  ): Promise<void> {
    const { mailer } = this.type.services;
    const { type } = this;
    await mailer.deliver({
      to,
      names: [`authlib/${type.name}_mailer/${name}`, `authlib/mailer/${name}`],
      subject: this.t(subject ?? `mails.${name}`, { application: this.request.t("application.name") }),
      locals: { ...locals, account, login: to },
      ...(transaction ? { transaction } : {}),
      ...(decoy ? { decoy } : {}),
    });
  }
  /** Mails an account a link with a key that anybody may ask for; false where one was mailed just now, which is good. */
  async mailKey(account: AccountRecord, { table, name, page, transaction, ...key }: KeyMail): Promise<boolean> {
    const send = async (trx: Transaction) => {
      const token = await this.requestKey(table, account, { ...key, transaction: trx });
      if (token === undefined) return false;
      const url = this.mailUrl(page, { key: token });
      await this.mail(this.loginOf(account), name, { url }, { account, transaction: trx });
      return true;
    };
    return transaction ? send(transaction) : this.transaction(send);
  }
  /**
   * The work of a mail with a key, for a login that gets none: how busy a server is after somebody asked must not tell
   * whether anybody has the login. `isTold`: a mail that goes out is an event.
   */
  async mailNobody(
    login: string,
    name: string,
    { page, isTold = true, transaction }: { page: string; isTold?: boolean; transaction?: Transaction },
  ): Promise<void> {
    const key = this.type.services.digests.token();
    await (transaction ? this.#storeNothing(transaction) : this.transaction((trx) => this.#storeNothing(trx)));
    const to = this.loginProblem(login) === undefined ? login : "nobody@nowhere.invalid";
    const options = { decoy: true, ...(transaction ? { transaction } : {}) };
    await this.mail(to, name, { url: this.mailUrl(page, { key }) }, options);
    if (isTold && this.type.has("audit_logging")) await this.#insertNothing(transaction ?? this.knex);
  }
  /** Deletes and writes as a new key does, into one of a few rows that mean nothing. */
  async #storeNothing(connection: Knex): Promise<void> {
    await connection(SPENT)
      .where("deadline", "<", new Date(Date.now() - DECOY_MS))
      .delete();
    await this.#insertNothing(connection);
  }
  async #insertNothing(connection: Knex): Promise<void> {
    const { digests } = this.type.services;
    const key_digest = digests.digest(`nothing ${randomInt(DECOY_ROWS)}`);
    const row = { key_digest, spender: digests.token(), deadline: new Date() };
    await connection(SPENT).insert(row).onConflict("key_digest").merge();
  }

  /** Somebody else wants the login of an account: its owner is told, once in five minutes. */
  async mailExists(account: AccountRecord, transaction: Transaction): Promise<void> {
    await this.lockAccount(account, transaction);
    const isFirst = await spendOnce(this, `account_exists ${account.id}`, SPACING_MS, transaction);
    const locals = { url: this.mailUrl("login"), isClosed: !this.isOpen(account) };
    await this.mail(this.loginOf(account), "account_exists", locals, { account, transaction, decoy: !isFirst });
  }

  /**
   * Looks into a mail that somebody asked for by typing a login: later, so that the answer takes the same time whether
   * anybody has the login or not.
   */
  async mailLater(step: string, typed: string): Promise<void> {
    const login = this.normalizeLogin(typed);
    await this.takeMail(step, login);
    await this.enqueueStep(step, login);
  }
  /** Runs a step of the account plugin in a job. */
  async enqueueStep(step: string, login: string): Promise<void> {
    const requested: RequestedMail = { type: this.type.name, step, login, origin: this.origin ?? this.request.origin };
    await this.type.services.jobs.enqueue(REQUESTED, requested);
  }
  /**
   * Counts a mail for a purpose, by address and by address and login together: what strangers ask for elsewhere does not
   * keep the owner from asking. How many go out is said by the rows of their keys. @throws HttpError 429
   */
  async takeMail(purpose: string, login: string): Promise<void> {
    const { address } = this.request;
    const key = `${purpose} ${this.limitKey(login)} from ${networkOf(address)}`;
    await this.type.services.limits.take("mail", key, address);
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
