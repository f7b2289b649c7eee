import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { Passwords } from "./passwords.ts";

/** The kind of job in which a mail is looked into that somebody asked for by typing a login. */
export const REQUESTED = "authlib.requested";

export interface RequestedMail {
  type: string;
  /** The step that looks for the account and mails it. */
  step: string;
  login: string;
  /** Where links lead when no APP_URL says it: development. */
  origin: string | undefined;
}

/** Mails to accounts: rendered from `authlib/<account>_mailer/<name>`, else from the feature's own (S5.7). */
export class Mails extends Passwords {
  /** Where links in mails lead when no APP_URL says it. */
  origin: string | undefined;

  async mail(
    to: string,
    name: string,
    locals: Record<string, unknown>,
    { account, transaction }: { account?: AccountRecord; transaction?: Transaction } = {},
  ): Promise<void> {
    const { mailer } = this.type.services;
    const { type } = this;
    await mailer.deliver({
      to,
      names: [`authlib/${type.name}_mailer/${name}`, `authlib/mailer/${name}`],
      subject: this.t(`mails.${name}`, { application: this.request.t("application.name") }),
      locals: { ...locals, account, login: to },
      ...(transaction ? { transaction } : {}),
    });
  }

  /**
   * Looks into a mail that somebody asked for by typing a login: later, so that the answer takes the same time whether
   * anybody has the login or not.
   */
  async mailLater(step: string, typed: string): Promise<void> {
    const login = this.normalizeLogin(typed);
    await this.type.services.limits.take("mail", this.limitKey(login), this.request.address);
    const requested: RequestedMail = { type: this.type.name, step, login, origin: this.request.origin };
    await this.type.services.jobs.enqueue(REQUESTED, requested);
  }

  /** What tries are counted by. */
  limitKey(login: string): string {
    return `${this.type.name}:${login}`;
  }

  /** An address of one of the account's pages: from the configured host, never the request's. */
  mailUrl(page: string, query: Record<string, string> = {}): string {
    const { appUrl, allowedHosts } = this.request.settings;
    const configured = appUrl?.origin ?? (allowedHosts[0] === undefined ? undefined : `https://${allowedHosts[0]}`);
    const search = new URLSearchParams(query).toString();
    const base = configured ?? this.origin ?? this.request.origin;
    return `${base}${this.type.path(page)}${search === "" ? "" : `?${search}`}`;
  }
}
