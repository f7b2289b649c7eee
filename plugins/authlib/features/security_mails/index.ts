import { networkOf, type Reply } from "framewright/host";
import { checkOptions, messageOf, option } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";
import type { AccountEventName } from "../../events.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import { markSpent } from "../../spent_keys.ts";
import { describeAgent } from "../active_sessions/agents.ts";
import type { ResetPasswordSteps } from "../reset_password/index.ts";
import { Devices } from "./devices.ts";
import { isAlways, isByAdministrator, isFailure, isFinal, noticeOf } from "./notices.ts";
import { dropLinks, findReport, table, undo, wasReported } from "./report.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Links that are good at once, of one address. */
const MAX_KEYS = 20;

export interface SecurityMailsOptions {
  /** Days for which "that wasn't me" is good. */
  days?: number;
}
type Details = Record<string, string | number | boolean>;
/** What the feature `security_mails` adds. */
export interface SecurityMailsSteps {
  /**
   * The texts that an event is mailed with, below `authlib.security_mails`; undefined mails nothing. A `login` has the
   * detail `newDevice`.
   */
  securityNotice(event: AccountEventName, details: Details): string | undefined;
  /** Mails the owner a notice. */
  mailSecurityNotice(
    account: AccountRecord,
    notice: string,
    options?: { to?: string; transaction?: Transaction },
  ): Promise<void>;
  reportCompromisePage(): Promise<Reply>;
  submitReportCompromise(): Promise<Reply>;
}

/** Mails the owner of an account what happens to it, with a link that says "that wasn't me". */
export function securityMails(options: SecurityMailsOptions = {}) {
  checkOptions("securityMails", options, { days: option.number });
  return defineFeature<SecurityMailsSteps>({
    name: "security_mails",
    directory: import.meta.dirname,
    options,
    requires: ["reset_password"],
    tables: [table, "known_devices"],
    owned: [table, "known_devices"],
    routes: [...form("report-compromise", "anyone", { linked: false })],
    steps: (Base) => steps(Base as Before) as unknown as AuthlibClass<AuthlibBase & SecurityMailsSteps>,
  });
}
type Before = AuthlibClass<AuthlibBase & ResetPasswordSteps>;

function steps(Base: Before) {
  return class WithSecurityMails extends Base {
    /** What happened is stored: a mail that can't be sent is logged, and the answer stands. */
    override async emitEvent(
      name: AccountEventName,
      details: Details = {},
      ...about: [account?: { id: number } | undefined]
    ): Promise<void> {
      const account = about.length > 0 ? about[0] : this.account;
      await super.emitEvent(name, details, account);
      if (!account) return;
      await this.#notify(name, details, account).catch((err: unknown) => {
        this.application.log.error({ err, event: name }, `no mail tells of ${name}: ${messageOf(err)}`);
      });
    }
    securityNotice(event: AccountEventName, details: Details): string | undefined {
      return noticeOf(event, details);
    }
    async mailSecurityNotice(
      account: AccountRecord,
      notice: string,
      { to = this.loginOf(account), transaction }: { to?: string; transaction?: Transaction } = {},
    ): Promise<void> {
      const send = async (trx: Transaction) => {
        const place = isFailure(notice) ? "" : ` ${networkOf(this.request.address)}`;
        const what = `security mail ${account.id} ${notice}${place}`;
        if (!isAlways(notice) && !(await markSpent(this, what, HOUR, trx))) return;
        const url = isFinal(notice) ? undefined : await this.#link(account, to, notice, trx);
        const text = `authlib.security_mails.${notice}.text`;
        const locals = { ...this.#circumstances(), url, notice: text, by_administrator: isByAdministrator(notice) };
        const subject = `security_mails.${notice}.subject`;
        await this.mail(to, "security_notice", locals, { account, transaction: trx, subject });
      };
      await (transaction ? send(transaction) : this.transaction(send));
    }
    /** The one mail of it: to the address that the account had, from where it can be undone. */
    async mailLoginChanged(
      account: AccountRecord,
      before: string,
      transaction: Transaction,
      { by }: { by?: string } = {},
    ): Promise<void> {
      const isByOwner = by !== "administrator";
      if (!isByOwner) await dropLinks(this, account, transaction);
      const notice = isByOwner ? "login_changed" : "administrator.login_changed";
      await this.mailSecurityNotice(account, notice, { to: before, transaction });
    }
    override async reuseProblem(account: AccountRecord, password: string): Promise<string | undefined> {
      const problem = await super.reuseProblem(account, password);
      if (problem !== undefined) return problem;
      return (await wasReported(this, account, password)) ? this.t("report_compromise.password") : undefined;
    }

    async reportCompromisePage(): Promise<Reply> {
      const found = await findReport(this, this.keyParam());
      if (!found) return this.#deadReport();
      const locals = { key: this.keyParam(), login: String(found.row.login), csrf: this.csrf("report-compromise") };
      return this.page("report_compromise", locals);
    }
    async submitReportCompromise(): Promise<Reply> {
      const found = await findReport(this, this.keyParam());
      if (!found) return this.#deadReport();
      const { account } = found;
      const referrers = await this.type.referrers();
      const hash = await this.passwordHashOf(account);
      const done = await this.transaction(async (trx) => {
        const undone = await undo(this, { ...found, hash }, referrers, trx);
        return undone && { undone, key: await this.passwordKey(account, trx) };
      });
      if (!done) return this.#deadReport();
      const { undone, key } = done;
      await this.emitEvent(
        "compromise_reported",
        { factors: undone.factors, login: undone.login !== undefined },
        account,
      );
      const success = this.t(undone.login === undefined ? "report_compromise.done" : "report_compromise.done_login");
      if (this.wantsJson) return this.controller.json({ success, reset_password_key: key });
      this.request.flash.add("success", success);
      return this.goTo(`${this.type.path("reset-password")}?key=${key}`);
    }

    /** No other can be asked for; who still does not trust the password sets a new one. */
    #deadReport(): Reply {
      return this.expiredLink("reset-password-request", "report_compromise.dead");
    }
    async #notify(event: AccountEventName, details: Details, about: { id: number }): Promise<void> {
      const isIn = event === "login" && this.signIn?.pending === undefined;
      const more: Details = isIn ? { newDevice: await new Devices(this).isNew(about) } : {};
      const notice = this.securityNotice(event, { ...details, ...more });
      if (notice === undefined) return;
      const isKnown = this.type.class.loginColumn in about;
      const account = isKnown ? (about as AccountRecord) : await this.findAccountById(about.id);
      if (account && this.loginProblem(this.loginOf(account)) === undefined)
        await this.mailSecurityNotice(account, notice);
    }
    async #link(account: AccountRecord, login: string, notice: string, transaction: Transaction): Promise<string> {
      const { days = 7 } = this.optionsOf<SecurityMailsOptions>("security_mails");
      const extra = { login, notice };
      const key = await this.issueKey(table, account, {
        lifetime: days * DAY,
        extra,
        same: { login },
        max: MAX_KEYS,
        transaction,
      });
      return this.mailUrl("report-compromise", { key });
    }
    /** When, from where and by which browser; nothing of these where no request caused it. */
    #circumstances() {
      const { address } = this.request;
      const agent = this.request.header("user-agent") ?? "";
      const device = describeAgent(agent) ?? this.t("security_mails.unknown_device");
      const time = new Date().toISOString().slice(0, 16).replace("T", " ");
      return address === "" ? { time } : { time, address, device };
    }
  };
}
