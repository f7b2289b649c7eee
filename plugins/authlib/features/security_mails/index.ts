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
import { KnownDevices } from "./devices.ts";
import { isAlways, isByAdministrator, isFailure, isFinal, noticeOf } from "./notices.ts";
import { dropLinks, findReport, table, undo, wasReported } from "./report.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The most valid links of one address. */
const MAX_KEYS = 20;

/** Options of `securityMails()`. */
export interface SecurityMailsOptions {
  /** How many days the link "That wasn't me" is valid. */
  days?: number;
}
type Details = Record<string, string | number | boolean>;
/** What the feature `security_mails` adds. */
export interface SecurityMailsSteps {
  /**
   * The key of an event's texts, below `authlib.security_mails`; undefined sends no mail. A `login` has the detail
   * `newDevice`.
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

/** Mails security notices to the owner of an account, with a link "That wasn't me" to report a compromise. */
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
    steps: (Base) => steps(Base as BaseClass) as unknown as AuthlibClass<AuthlibBase & SecurityMailsSteps>,
  });
}
type BaseClass = AuthlibClass<AuthlibBase & ResetPasswordSteps>;

function steps(Base: BaseClass) {
  return class WithSecurityMails extends Base {
    /** A mail that can't be sent is only logged: the event is already stored. */
    override async emitEvent(
      name: AccountEventName,
      details: Details = {},
      ...about: [account?: { id: number } | undefined]
    ): Promise<void> {
      const account = about.length > 0 ? about[0] : this.account;
      await super.emitEvent(name, details, account);
      if (!account) return;
      await this.#notify(name, details, account).catch((err: unknown) => {
        this.application.log.error(
          { err, event: name },
          `no security mail could be sent for ${name}: ${messageOf(err)}`,
        );
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
        const subjectKey = `security mail ${account.id} ${notice}${place}`;
        if (!isAlways(notice) && !(await markSpent(this, subjectKey, HOUR_MS, trx))) return;
        const url = isFinal(notice) ? undefined : await this.#link(account, to, notice, trx);
        const text = `authlib.security_mails.${notice}.text`;
        const locals = {
          ...this.#circumstances(account),
          url,
          notice: text,
          by_administrator: isByAdministrator(notice),
        };
        const subject = `security_mails.${notice}.subject`;
        await this.mail(to, "security_notice", locals, { account, transaction: trx, subject });
      };
      await (transaction ? send(transaction) : this.transaction(send));
    }
    /** The only mail of this event: to the former address, with a link that undoes the change. */
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
      if (!found) return this.#expiredReport();
      const locals = { key: this.keyParam(), login: String(found.row.login), csrf: this.csrf("report-compromise") };
      return this.page("report_compromise", locals);
    }
    async submitReportCompromise(): Promise<Reply> {
      const found = await findReport(this, this.keyParam());
      if (!found) return this.#expiredReport();
      const { account } = found;
      const referrers = await this.type.referrers();
      const hash = await this.passwordHashOf(account);
      const done = await this.transaction(async (trx) => {
        const undone = await undo(this, { ...found, hash }, referrers, trx);
        return undone && { undone, key: await this.passwordKey(account, trx) };
      });
      if (!done) return this.#expiredReport();
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

    /** No other report link can be requested: offers to reset the password instead. */
    #expiredReport(): Reply {
      return this.expiredLink("reset-password-request", "report_compromise.dead");
    }
    async #notify(event: AccountEventName, details: Details, about: { id: number }): Promise<void> {
      const isSignedIn = event === "login" && this.signIn?.pending === undefined;
      const more: Details = isSignedIn ? { newDevice: await new KnownDevices(this).isNew(about) } : {};
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
        lifetime: days * DAY_MS,
        extra,
        same: { login },
        max: MAX_KEYS,
        transaction,
      });
      return this.mailUrl("report-compromise", { key });
    }
    #unknownDevice(account: AccountRecord): string {
      return this.textIn(this.mailLocale(account), "authlib.security_mails.unknown_device");
    }
    /** Time, address and device of the request; only the time where no request caused the event. */
    #circumstances(account: AccountRecord) {
      const { address } = this.request;
      const agent = this.request.header("user-agent") ?? "";
      const device = describeAgent(agent) ?? this.#unknownDevice(account);
      const time = new Date();
      return address === "" ? { time } : { time, address, device };
    }
  };
}
