import { randomInt } from "node:crypto";
import { networkOf, zoneOf } from "framewright/host";
import type { Knex, Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { markSpent, SPENT_KEYS_TABLE } from "../spent_keys.ts";
import { hasLockoutBypass, storeLockoutBypass } from "./lockout_bypass.ts";
import { type KeyOptions, SPACING_MS } from "./mailed_keys.ts";
import { Passwords } from "./passwords.ts";

/** The job that runs a step for a login that was typed. */
export const REQUESTED_STEP_JOB = "authlib.requested";

/** Several rows, so that parallel writes do not wait for one lock. */
const DECOY_ROWS = 64;
/** Milliseconds after their deadline at which decoy rows are deleted. */
const MAX_DECOY_AGE_MS = 60_000;

export interface RequestedStep {
  type: string;
  /** The method that finds the account and mails it. */
  step: string;
  login: string;
  /** The origin of links where APP_URL is not set: development. */
  origin: string | undefined;
  /** The language of the request, where the application offers several. */
  locale?: string | undefined;
}

export interface MailOptions {
  account?: AccountRecord;
  transaction?: Transaction;
  /** Renders the mail and sends it to nobody. */
  decoy?: boolean;
  /** The key of its subject, below `authlib.`; by default `mails.<name>`. */
  subject?: string;
}

export interface KeyMail extends KeyOptions {
  /** The table of its keys, without the account's prefix. */
  table: string;
  /** The mail's name. */
  name: string;
  /** The page of the link, below `/<account_plural>/`. */
  page: string;
}

/** Mails to accounts, rendered from `authlib/<account>_mailer/<name>`, else from the feature's own templates. */
export class Mails extends Passwords {
  /** The origin of links where APP_URL is not set. */
  origin: string | undefined;

  async mail(
    to: string,
    name: string,
    locals: Record<string, unknown>,
    { account, transaction, decoy, subject }: MailOptions = {},
  ): Promise<void> {
    const { mailer } = this.type.services;
    const { type } = this;
    const locale = this.mailLocale(account);
    const application = this.textIn(locale, "application.name");
    await mailer.deliver({
      to,
      names: [`authlib/${type.name}_mailer/${name}`, `authlib/mailer/${name}`],
      subject: this.textIn(locale, `authlib.${subject ?? `mails.${name}`}`, { application }),
      locals: { ...locals, account, login: to },
      locale,
      timeZone: zoneOf((account as { time_zone?: unknown } | undefined)?.time_zone),
      ...(transaction ? { transaction } : {}),
      ...(decoy ? { decoy } : {}),
    });
  }
  /** The language of a mail: that of the account, else that of the request, else the application's own. */
  mailLocale(account?: AccountRecord): string {
    const { application, locale } = this.request;
    return application.languages.find((account as { locale?: unknown } | undefined)?.locale) ?? locale;
  }
  /** A text in a language, which may be another's than the request's. */
  textIn(locale: string, key: string, vars?: Record<string, unknown>): string {
    const { request } = this;
    return locale === request.locale ? request.t(key, vars) : (request.application.texts?.t(key, vars, locale) ?? key);
  }
  /** Mails an account a link with a key that anybody may request; false where a recent link is still valid. */
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
   * Does the work of a mail with a key for a login that gets none, so that the server's load does not reveal whether the
   * login exists. `emitsEvent`: the real mail emits an event, which audit_logging() would store.
   */
  async mailNobody(
    login: string,
    name: string,
    { page, emitsEvent = true, transaction }: { page: string; emitsEvent?: boolean; transaction?: Transaction },
  ): Promise<void> {
    const key = this.type.services.digests.token();
    await (transaction ? this.#storeDecoyKey(transaction) : this.transaction((trx) => this.#storeDecoyKey(trx)));
    const to = this.loginProblem(login) === undefined ? login : "nobody@nowhere.invalid";
    const options = { decoy: true, ...(transaction ? { transaction } : {}) };
    await this.mail(to, name, { url: this.mailUrl(page, { key }) }, options);
    if (emitsEvent && this.type.has("audit_logging")) await this.#insertDecoyRow(transaction ?? this.knex);
  }
  /** The same statements as for a new key, on one of a few decoy rows. */
  async #storeDecoyKey(connection: Knex): Promise<void> {
    await connection(SPENT_KEYS_TABLE)
      .where("deadline", "<", new Date(Date.now() - MAX_DECOY_AGE_MS))
      .delete();
    await this.#insertDecoyRow(connection);
  }
  async #insertDecoyRow(connection: Knex): Promise<void> {
    const { digests } = this.type.services;
    const key_digest = digests.digest(`nothing ${randomInt(DECOY_ROWS)}`);
    const row = { key_digest, spender: digests.token(), deadline: new Date() };
    await connection(SPENT_KEYS_TABLE).insert(row).onConflict("key_digest").merge();
  }

  /** Mails the owner that somebody else wants to use the login; once in five minutes. */
  async mailAccountExists(account: AccountRecord, transaction: Transaction): Promise<void> {
    await this.lockAccount(account, transaction);
    const isFirst = await markSpent(this, `account_exists ${account.id}`, SPACING_MS, transaction);
    const locals = { url: this.mailUrl("login"), isClosed: !this.isOpen(account) };
    await this.mail(this.loginOf(account), "account_exists", locals, { account, transaction, decoy: !isFirst });
  }

  /**
   * Runs a mail step for a typed login in a job, so that the response time does not reveal whether the login exists.
   */
  async mailLater(step: string, typed: string): Promise<void> {
    const login = this.normalizeLogin(typed);
    await this.takeMail(step, login);
    await this.enqueueStep(step, login);
  }
  /** Runs a step of the account plugin in a job. */
  async enqueueStep(step: string, login: string, transaction?: Transaction): Promise<void> {
    const { application, locale, origin } = this.request;
    const asked: RequestedStep = { type: this.type.name, step, login, origin: this.origin ?? origin };
    const requested = application.languages.areSeveral ? { ...asked, locale } : asked;
    await this.type.services.jobs.enqueue(REQUESTED_STEP_JOB, requested, transaction ? { transaction } : {});
  }
  /**
   * Counts a request for a mail, by address and by address and login together, so that requests of strangers do not block
   * the owner. How many mails go out is limited by the rows of their keys. @throws HttpError 429
   */
  async takeMail(purpose: string, login: string, transaction?: Transaction): Promise<void> {
    const { address } = this.request;
    const key = `${purpose} ${this.limitKey(login)} from ${networkOf(address)}`;
    await this.type.services.limits.consume("mail", key, address, transaction);
  }

  /** The key by which attempts are counted. */
  limitKey(login: string): string {
    return `${this.type.name}:${login}`;
  }
  /** The key by which password attempts are counted: a separate one for a browser that bypasses the lockout. */
  guessKey(login: string): string {
    return this.isLockoutBypassed(login) ? `${this.limitKey(login)} past` : this.limitKey(login);
  }
  isLockoutBypassed(login: string): boolean {
    return hasLockoutBypass(this.session, this.type.name, login);
  }
  /** Lets this browser sign in despite failures of strangers, after a mailed link has proved who owns the account. */
  async bypassLockout(account: AccountRecord): Promise<void> {
    const login = this.normalizeLogin(this.loginOf(account));
    await this.type.services.limits.reset("login", this.limitKey(login));
    if (!this.wantsJson || this.request.carriesSession) storeLockoutBypass(this.session, this.type.name, login);
  }

  /** The URL of an account page, with the configured host. In production it never uses the request's host. */
  mailUrl(page: string, query: Record<string, string> = {}): string {
    const { appUrl, allowedHosts } = this.request.settings;
    const host = allowedHosts.find((name) => !name.startsWith("*"));
    const configured = appUrl?.origin ?? (host === undefined ? undefined : `https://${host}`);
    const search = new URLSearchParams(query).toString();
    const base = configured ?? this.origin ?? this.request.origin;
    return `${base}${this.type.path(page)}${search === "" ? "" : `?${search}`}`;
  }
}
