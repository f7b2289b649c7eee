import type { Reply } from "framewright/host";
import { checkOptions, type OptionRule } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import type { AccountLine } from "../../account_sections.ts";
import type { AccountRecord, AccountType } from "../../account_type.ts";
import type { SignIn } from "../../core/sessions.ts";
import type { AccountEventName } from "../../events.ts";
import { type AuthlibClass, defineFeature } from "../../feature.ts";
import { markSpent } from "../../spent_keys.ts";
import { type Activity, ActivityTimes, type DormantAccount, table } from "./activity.ts";

export type { Activity, DormantAccount } from "./activity.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Module-level: by account type, of which each application has its own: when it last searched for accounts without a row. */
const lastSearch = new WeakMap<AccountType, number>();
/** Events that count as use of an account. */
const useEvents = new Set<AccountEventName>(["created", "verified", "login"]);

/** Options of `accountExpiration()`. */
export interface AccountExpirationOptions {
  /** Days without use after which an account expires. */
  days?: number;
}
const daysRule: OptionRule = {
  expected: "a number of days, at least 1",
  check: (value) => typeof value === "number" && value >= 1 && value <= 36_500,
};
/** What the feature `account_expiration` adds. */
export interface AccountExpirationSteps {
  /** Whether an account was not used for so long that it has expired. */
  isExpired(account: AccountRecord): Promise<boolean>;
  /** When an account was used; undefined for one that was not used since the feature was added. */
  activityOf(account: { id: number }): Promise<Activity | undefined>;
  /** Reopens an expired account: its time starts again. */
  reopenExpired(account: { id: number }): Promise<void>;
  /** Accounts that were not used for some days, by default the option `days`, longest unused first. */
  dormantAccounts(days?: number, page?: { limit?: number; offset?: number }): Promise<DormantAccount[]>;
  /** Starts the time of accounts that the feature has not seen yet, as if they were used now. */
  noteAccounts(): Promise<void>;
}

/** Refuses sign-ins to accounts that were not used for long, until an administrator reopens them. */
export function accountExpiration(options: AccountExpirationOptions = {}) {
  checkOptions("accountExpiration", options, { days: daysRule });
  return defineFeature<AccountExpirationSteps>({
    name: "account_expiration",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables: [table],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithAccountExpiration extends Base {
    readonly #times = new ActivityTimes(this);

    async isExpired(account: AccountRecord): Promise<boolean> {
      return this.#times.isUnusedSince(account, new Date(Date.now() - this.#days * DAY_MS));
    }
    activityOf(account: { id: number }): Promise<Activity | undefined> {
      return this.#times.of(account);
    }
    async reopenExpired(account: { id: number }): Promise<void> {
      await this.#times.note(account, new Date(), { isLogin: false });
      await this.emitEvent("expiration_ended", {}, account);
    }
    dormantAccounts(days = this.#days, { limit = 100, offset = 0 } = {}): Promise<DormantAccount[]> {
      return this.#times.unusedSince(new Date(Date.now() - days * DAY_MS), { limit, offset });
    }
    noteAccounts(): Promise<void> {
      return this.#times.noteAll(new Date());
    }

    override async accountLines(): Promise<AccountLine[]> {
      const at = (await this.activityOf(this.account!))?.previousLoginAt;
      const own = { section: "history", name: "previous_login", label: this.t("account.previous_login") } as const;
      return [...(await super.accountLines()), ...(at ? [{ ...own, text: "", at }] : [])];
    }
    override async maySignIn(account: AccountRecord): Promise<boolean> {
      return (await super.maySignIn(account)) && !(await this.isExpired(account));
    }
    /** For an application's own sign-ins: the framework's have called maySignIn() already. */
    override async beforeLogin(account: AccountRecord): Promise<Reply | undefined> {
      if (!(await this.isExpired(account))) return super.beforeLogin(account);
      await this.enqueueStep("mailRefusal", this.loginOf(account));
      const message = this.t("login.wrong");
      if (this.wantsJson) return this.problem(this.invalid({}, message));
      this.request.flash.add("warning", message);
      return this.goTo(this.type.path("login"));
    }
    override async mailInstead(account: AccountRecord): Promise<boolean> {
      if (await super.mailInstead(account)) return true;
      if (!this.isOpen(account) || !(await this.isExpired(account))) return false;
      await this.transaction(async (transaction) => {
        await this.lockAccount(account, transaction);
        const isFirst = await markSpent(this, `account_expired ${account.id}`, HOUR_MS, transaction);
        await this.mail(this.loginOf(account), "account_expired", {}, { account, transaction, decoy: !isFirst });
      });
      return true;
    }

    override async emitEvent(
      name: AccountEventName,
      details: Record<string, string | number | boolean> = {},
      ...about: [account?: { id: number } | undefined]
    ): Promise<void> {
      const account = about.length > 0 ? about[0] : this.account;
      if (account && useEvents.has(name)) await this.#noteUse(account, name === "login");
      await super.emitEvent(name, details, account);
    }
    override async endSession(id: number, transaction?: Transaction): Promise<boolean> {
      await this.#times.keepLastUse(this.account!, transaction ?? this.knex);
      return super.endSession(id, transaction);
    }
    override async closeSession(): Promise<void> {
      if (this.account && this.signIn) await this.#times.keepLastUse(this.account, this.knex);
      await super.closeSession();
    }
    override async killCredentials(account: { id: number }, transaction: Transaction, kept?: SignIn): Promise<void> {
      await this.#times.keepLastUse(account, transaction);
      await super.killCredentials(account, transaction, kept);
    }
    /** A reopened account starts again. */
    override async closeCredentials(account: { id: number }, transaction: Transaction): Promise<boolean> {
      const hadAny = await super.closeCredentials(account, transaction);
      await this.#times.forget(account, transaction);
      return hadAny;
    }

    get #days(): number {
      return this.optionsOf<AccountExpirationOptions>("account_expiration").days ?? 180;
    }
    /** Records a use. The first sign-in of a day enqueues a job that finds accounts created without the account pages. */
    async #noteUse(account: { id: number }, isLogin: boolean): Promise<void> {
      const now = Date.now();
      await this.#times.note(account, new Date(now), { isLogin });
      if (!isLogin || now - (lastSearch.get(this.type) ?? 0) < DAY_MS) return;
      lastSearch.set(this.type, now);
      await this.enqueueStep("noteAccounts", "");
    }
  };
}
