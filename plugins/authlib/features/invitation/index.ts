import { forbidden, type Reply } from "framewright";
import { checkOptions, option } from "framewright/kernel";
import { type Transaction, ValidationError } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import type { ResetPasswordSteps } from "../reset_password/index.ts";
import type { VerifyAccountSteps } from "../verify_account/index.ts";

const DAY = 86_400_000;
const keys = "password_reset_keys";

export interface InvitationOptions {
  /** Days for which the mailed link is good. */
  days?: number;
}
/** What the feature `invitation` adds. */
export interface InvitationSteps {
  invitePage(): Promise<Reply>;
  submitInvite(): Promise<Reply>;
  /** Whether somebody may invite: unless told, who has the most privileged role, or everybody where there are none. */
  mayInvite(account: AccountRecord): boolean;
  /** The roles that somebody may give; the second is offered first. */
  invitableRoles(account: AccountRecord): readonly string[];
}

/**
 * An existing account invites: the invited person sets a password by the mailed link. Until then the account is
 * unverified, and nothing else opens it: the link is good for as long as its inviter may invite.
 */
export function invitation(options: InvitationOptions = {}) {
  checkOptions("invitation", options, { days: option.number });
  return defineFeature<InvitationSteps>({
    name: "invitation",
    directory: import.meta.dirname,
    options,
    requires: ["reset_password"],
    routes: [...form("invite", "account")],
    steps,
  });
}

type Before = AuthlibBase & ResetPasswordSteps & VerifyAccountSteps;

function steps(Base: AuthlibClass) {
  return class WithInvitation extends Base {
    mayInvite(account: AccountRecord): boolean {
      const [first] = this.#roles;
      return first === undefined || account.role === first;
    }
    invitableRoles(_account: AccountRecord): readonly string[] {
      return this.#roles;
    }
    async invitePage(): Promise<Reply> {
      this.#check();
      return this.page("invite", this.#locals());
    }
    async submitInvite(): Promise<Reply> {
      this.#check();
      const login = this.normalizeLogin(this.param("login") ?? "");
      const roles = this.invitableRoles(this.account!);
      const role = this.param("role") ?? roles[1] ?? roles[0];
      const problem = login === "" ? this.t("blank") : this.loginProblem(login);
      if (problem !== undefined) return this.#refuse({ login: [problem] });
      if (role !== undefined && !roles.includes(role)) return this.#refuse({ role: [this.t("invite.no_role")] });
      await this.type.services.limits.take("mail", this.limitKey(login), this.request.address);
      try {
        await this.#invite(login, role);
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        return this.#refuse({ login: Object.values(error.fields).flat() });
      }
      return this.done(this.t("invite.done", { login }), this.type.path("invite"));
    }

    async mayReset(account: AccountRecord, key: string): Promise<boolean> {
      const id = /\.([1-9]\d*)$/.exec(key)?.[1]; // whose invitation it is
      if (id === undefined) return (Base.prototype as Before).mayReset.call(this as unknown as Before, account, key);
      const inviter = await this.findAccountById(Number(id));
      if (!inviter || !this.isOpen(inviter) || !this.mayInvite(inviter) || !this.isUnverified(account)) return false;
      return this.#roles.length === 0 || this.invitableRoles(inviter).includes(String(account.role));
    }
    /** Who was invited gets in by the invitation alone, and not by signing up or asking for another link. */
    override async afterCreateAccount(account: AccountRecord, transaction: Transaction): Promise<void> {
      if (!(await this.#isInvited(account, transaction))) await super.afterCreateAccount(account, transaction);
    }
    async mailVerification(login: string): Promise<void> {
      const account = await this.findAccountByLogin(login);
      if (account && (await this.#isInvited(account))) return;
      await (Base.prototype as Partial<Before>).mailVerification?.call(this as unknown as Before, login);
    }

    /** Nobody else who is unverified has such a key. */
    async #isInvited(account: AccountRecord, transaction?: Transaction): Promise<boolean> {
      if (!this.isUnverified(account)) return false;
      const query = (transaction ?? this.knex)(this.type.table(keys)).where({ account_id: account.id }).limit(1);
      return (await (transaction ? query : this.type.services.database.rows(query))).length > 0;
    }
    async #invite(login: string, role: string | undefined): Promise<void> {
      const { days = 3 } = this.optionsOf<InvitationOptions>("invitation");
      const values = {
        [this.type.class.loginColumn]: login,
        account_status: "unverified",
        ...(role === undefined ? {} : { role }),
      };
      const invited = await this.transaction(async (transaction) => {
        const made = await this.#invited(login, values, transaction);
        const suffix = `.${this.account!.id}`;
        const key = await this.issueKey(keys, made, { lifetime: days * DAY, suffix, transaction });
        const url = this.mailUrl("reset-password", { key });
        await this.mail(login, "invitation", { url, by: this.loginOf(this.account!) }, { account: made, transaction });
        return made;
      });
      await this.tell("invited", role === undefined ? {} : { role }, invited);
    }
    /** A new account, or the one of an invitation before that nobody has taken up. */
    async #invited(login: string, values: Record<string, unknown>, transaction: Transaction): Promise<AccountRecord> {
      const before = await this.findAccountByLogin(login, transaction);
      if (!before || !(await this.#isInvited(before, transaction)))
        return (await this.type.model.class.query(transaction).insert(values as never)) as unknown as AccountRecord;
      await this.updateAccount(before, values, transaction);
      return before;
    }
    #check(): void {
      if (!this.mayInvite(this.account!)) throw forbidden();
    }
    #refuse(fields: Record<string, string[]>): Reply {
      return this.refuse("invite", { fields, locals: this.#locals() });
    }
    #locals() {
      const roles = this.invitableRoles(this.account!);
      return { roles, offered: this.param("role") ?? roles[1] ?? roles[0], csrf: this.csrf("invite") };
    }
    get #roles(): readonly string[] {
      return this.type.model.class.enums.role ?? [];
    }
  };
}
