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

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** By account type, when this process last looked for accounts that have no row. */
const looked = new WeakMap<AccountType, number>();
/** What shows that somebody uses an account. */
const signs = new Set<AccountEventName>(["created", "verified", "login"]);

export interface AccountExpirationOptions {
  /** Days without use after which an account lets nobody in. */
  days?: number;
}
const daysRule: OptionRule = {
  expected: "a number of days, at least 1",
  check: (value) => typeof value === "number" && value >= 1 && value <= 36_500,
};
/** What the feature `account_expiration` adds. */
export interface AccountExpirationSteps {
  /** Whether nobody has used an account for so long that it lets nobody in. */
  isExpired(account: AccountRecord): Promise<boolean>;
  /** When an account was used; undefined for one from before the feature that was not seen since. */
  activityOf(account: { id: number }): Promise<Activity | undefined>;
  /** Opens an expired account again: its time begins anew. */
  reopenExpired(account: { id: number }): Promise<void>;
  /** Accounts that nobody has used for so many days, the longest unused first; those of `days` unless told. */
  dormantAccounts(days?: number, page?: { limit?: number; offset?: number }): Promise<DormantAccount[]>;
  /** Takes accounts that the feature has not seen yet into account, as if they were used now. */
  noteAccounts(): Promise<void>;
}

/** Accounts that nobody uses for long let nobody in any more, until somebody who runs the application opens them again. */
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
      return this.#times.isUnusedSince(account, new Date(Date.now() - this.#days * DAY));
    }
    activityOf(account: { id: number }): Promise<Activity | undefined> {
      return this.#times.of(account);
    }
    async reopenExpired(account: { id: number }): Promise<void> {
      await this.#times.note(account, new Date(), { isLogin: false });
      await this.emitEvent("expiration_ended", {}, account);
    }
    dormantAccounts(days = this.#days, { limit = 100, offset = 0 } = {}): Promise<DormantAccount[]> {
      return this.#times.unusedSince(new Date(Date.now() - days * DAY), { limit, offset });
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
    /** For sign-ins by means of an application's own; the framework's have asked before. */
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
        const isFirst = await markSpent(this, `account_expired ${account.id}`, HOUR, transaction);
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
      if (account && signs.has(name)) await this.#noteUse(account, name === "login");
      await super.emitEvent(name, details, account);
    }
    override async endSession(id: number): Promise<boolean> {
      await this.#times.keepLastUse(this.account!, this.knex);
      return super.endSession(id);
    }
    override async closeSession(): Promise<void> {
      if (this.account && this.signIn) await this.#times.keepLastUse(this.account, this.knex);
      await super.closeSession();
    }
    override async killCredentials(account: { id: number }, transaction: Transaction, kept?: SignIn): Promise<void> {
      await this.#times.keepLastUse(account, transaction);
      await super.killCredentials(account, transaction, kept);
    }
    /** Opened again, a closed account begins anew. */
    override async closeCredentials(account: { id: number }, transaction: Transaction): Promise<boolean> {
      const hadAny = await super.closeCredentials(account, transaction);
      await this.#times.forget(account, transaction);
      return hadAny;
    }

    get #days(): number {
      return this.optionsOf<AccountExpirationOptions>("account_expiration").days ?? 180;
    }
    /** Once a day the first sign-in has a job look for accounts that were made past the account pages. */
    async #noteUse(account: { id: number }, isLogin: boolean): Promise<void> {
      const now = Date.now();
      await this.#times.note(account, new Date(now), { isLogin });
      if (!isLogin || now - (looked.get(this.type) ?? 0) < DAY) return;
      looked.set(this.type, now);
      await this.enqueueStep("noteAccounts", "");
    }
  };
}
