import { forbidden, humanize, paramKey, type Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { decodeDate, type Knex, type Transaction, ValidationError } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import type { ResetPasswordSteps } from "../reset_password/index.ts";

const DAY_MS = 86_400_000;
/** Milliseconds between two mails of one invitation. */
const SPACING_MS = 60_000;
const table = "invitation_keys";
/** The table of invitations in earlier releases. */
const formerTable = "password_reset_keys";

/** Options of `invitation()`. */
export interface InvitationOptions {
  /** How many days the mailed link is valid. */
  days?: number;
}
/** What became of an invitation that is sent again. */
export type ResentInvitation = "sent" | "recent" | "refused";
/** What the feature `invitation` adds. */
export interface InvitationSteps {
  invitePage(): Promise<Reply>;
  submitInvite(): Promise<Reply>;
  acceptInvitationPage(): Promise<Reply>;
  submitAcceptInvitation(): Promise<Reply>;
  /** Where an accepted invitation leads. */
  acceptInvitationRedirect(): string;
  /** When an account was invited that has not accepted; undefined for others. */
  invitedAt(account: AccountRecord): Promise<Date | undefined>;
  /**
   * Mails an invited account a new link, which ends the earlier one: "recent" where one was sent within the last minute,
   * "refused" where nobody was invited, or the inviter may not invite. `inviterId`: whose invitation it becomes.
   */
  resendInvitation(account: AccountRecord, transaction: Transaction, inviterId?: number): Promise<ResentInvitation>;
  /** Whether an account may invite: by default one with the first role, or any where there are no roles. */
  mayInvite(account: AccountRecord): boolean;
  /** The roles that an account may assign; the second is preselected. */
  invitableRoles(account: AccountRecord): readonly string[];
}

/**
 * Invites people: the invited person sets a password through the mailed link. Until then the account is unverified, and
 * nothing else opens it. The link is valid as long as the inviter may invite.
 */
export function invitation(options: InvitationOptions = {}) {
  checkOptions("invitation", options, { days: option.number });
  return defineFeature<InvitationSteps>({
    name: "invitation",
    directory: import.meta.dirname,
    options,
    requires: ["reset_password"],
    tables: [table],
    credentials: [table],
    routes: [
      ...form("invite", "account", { verified: true }),
      ...form("accept-invitation", "anyone", { linked: false }),
    ],
    steps,
  });
}

const decoy = { page: "accept-invitation", emitsEvent: false };
type BaseSteps = AuthlibBase & ResetPasswordSteps;

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
      this.#requirePermission();
      return this.page("invite", this.#locals());
    }
    async submitInvite(): Promise<Reply> {
      this.#requirePermission();
      const login = this.normalizeLogin(this.param("login") ?? "");
      const roles = this.invitableRoles(this.account!);
      const role = this.param("role") ?? roles[1] ?? roles[0];
      const problem = login === "" ? this.t("blank") : this.loginProblem(login);
      if (problem !== undefined) return this.#refuse({ login: [problem] });
      if (role !== undefined && !roles.includes(role)) return this.#refuse({ role: [this.t("invite.no_role")] });
      await this.takeMail("invite", login);
      try {
        await this.#invite(login, role);
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        return this.#refuse({ login: Object.values(error.fields).flat() });
      }
      return this.done(this.t("invite.done", { login }), this.type.path("invite"));
    }

    async mayReset(account: AccountRecord, key: string): Promise<boolean> {
      const id = /\.([1-9]\d*)$/.exec(key)?.[1]; // the inviter's id
      if (id === undefined)
        return (Base.prototype as BaseSteps).mayReset.call(this as unknown as BaseSteps, account, key);
      return this.#mayAccept(account, Number(id));
    }
    async acceptInvitationPage(): Promise<Reply> {
      const found = await this.#find();
      return found
        ? this.page("accept_invitation", this.#acceptLocals(found.account))
        : this.expiredLink("login", "accept_invitation.dead");
    }
    async submitAcceptInvitation(): Promise<Reply> {
      const found = await this.#find();
      if (!found) return this.expiredLink("login", "accept_invitation.dead");
      const { row, account } = found;
      const password = await this.chosenPassword(account);
      if (typeof password !== "string")
        return this.refuse("accept_invitation", { fields: password, locals: this.#acceptLocals(account) });
      const hash = await this.hashPassword(password);
      const isMine = await this.transaction(async (trx) => {
        if (!(await this.spendKey(table, row, trx))) return false;
        await this.storeHash(account, hash, trx);
        await this.killCredentials(account, trx);
        await this.updateAccount(account, { account_status: "verified" }, trx);
        return true;
      });
      if (!isMine) return this.expiredLink("login", "accept_invitation.dead");
      await this.emitEvent("verified", { by: "invitation" }, account);
      return this.done(this.t("accept_invitation.done"), this.acceptInvitationRedirect());
    }
    acceptInvitationRedirect(): string {
      return this.type.path("login");
    }
    /** An invited account opens only by its invitation, not by a sign-up or another link. */
    override async afterCreateAccount(account: AccountRecord, transaction: Transaction): Promise<void> {
      if (!(await this.#isInvited(account, transaction))) return super.afterCreateAccount(account, transaction);
      await this.mailNobody(this.loginOf(account), "invitation", { ...decoy, transaction });
    }
    override async mailVerification(login: string): Promise<void> {
      const account = await this.findAccountByLogin(login);
      if (account && (await this.#isInvited(account))) return this.mailNobody(login, "invitation", decoy);
      await super.mailVerification(login);
    }

    async #find() {
      const found = await this.findKey(table, this.keyParam());
      return found && (await this.#mayAccept(found.account, Number(found.row.inviter_id))) ? found : undefined;
    }
    async #mayAccept(account: AccountRecord, inviterId: number, transaction?: Transaction): Promise<boolean> {
      const inviter = await this.findAccountById(inviterId, transaction);
      if (!inviter || !this.isOpen(inviter) || !this.mayInvite(inviter) || !this.isUnverified(account)) return false;
      return this.#roles.length === 0 || this.invitableRoles(inviter).includes(String(account.role));
    }
    #acceptLocals(account: AccountRecord) {
      return { key: this.keyParam(), login: this.loginOf(account), csrf: this.csrf("accept-invitation") };
    }
    /** Whether an unverified account was invited: only invited ones have such a key, valid or expired. */
    async #isInvited(account: AccountRecord, connection: Knex = this.knex): Promise<boolean> {
      if (!this.isUnverified(account)) return false;
      for (const name of [table, formerTable])
        if (await connection(this.type.table(name)).where({ account_id: account.id }).first("id")) return true;
      return false;
    }
    async invitedAt(account: AccountRecord): Promise<Date | undefined> {
      if (!this.isUnverified(account)) return undefined;
      const row = await this.knex(this.type.table(table)).where({ account_id: account.id }).first("requested_at");
      return row && (decodeDate(row.requested_at) as Date);
    }
    async resendInvitation(
      account: AccountRecord,
      transaction: Transaction,
      inviterId?: number,
    ): Promise<ResentInvitation> {
      const keys = transaction(this.type.table(table)).where({ account_id: account.id });
      const row = (await keys.first("inviter_id", "requested_at")) as Record<string, unknown> | undefined;
      const id = inviterId ?? Number(row?.inviter_id);
      if (!row || !(await this.#mayAccept(account, id, transaction))) return "refused";
      if (Date.now() - (decodeDate(row.requested_at) as Date).getTime() < SPACING_MS) return "recent";
      await this.#send(account, (await this.findAccountById(id, transaction))!, transaction);
      return "sent";
    }
    /** Mails a link that replaces the earlier ones. */
    async #send(account: AccountRecord, inviter: AccountRecord, transaction: Transaction): Promise<void> {
      const { days = 3 } = this.optionsOf<InvitationOptions>("invitation");
      const options = { lifetime: days * DAY_MS, extra: { inviter_id: inviter.id }, max: 1, transaction };
      const url = this.mailUrl("accept-invitation", { key: await this.issueKey(table, account, options) });
      const locals = { url, by: this.loginOf(inviter) };
      await this.mail(this.loginOf(account), "invitation", locals, { account, transaction });
    }
    async #invite(login: string, role: string | undefined): Promise<void> {
      const values = {
        [this.type.class.loginColumn]: login,
        account_status: "unverified",
        ...(role === undefined ? {} : { role }),
      };
      const invited = await this.transaction(async (transaction) => {
        const account = await this.#findOrCreate(login, values, transaction);
        await this.#send(account, this.account!, transaction);
        return account;
      });
      await this.emitEvent("invited", role === undefined ? {} : { role }, invited);
    }
    /**
     * A new account, or an existing unverified one, whose credentials are revoked. The login of a closed account is freed
     * for a new one.
     */
    async #findOrCreate(
      login: string,
      values: Record<string, unknown>,
      transaction: Transaction,
    ): Promise<AccountRecord> {
      const found = await this.findAccountByLogin(login, transaction);
      if (found && this.isUnverified(found)) {
        await this.closeCredentials(found, transaction);
        await this.updateAccount(found, values, transaction);
        return found;
      }
      if (found?.account_status === "closed") await this.freeLogin(found, transaction);
      return (await this.type.model.class.query(transaction).insert(values as never)) as unknown as AccountRecord;
    }
    #requirePermission(): void {
      if (!this.mayInvite(this.account!)) throw forbidden();
    }
    #refuse(fields: Record<string, string[]>): Reply {
      return this.refuse("invite", { fields, locals: this.#locals() });
    }
    #locals() {
      const roles = this.invitableRoles(this.account!);
      const key = `models.${paramKey(this.type.model.constant)}.values.role`;
      const names = Object.fromEntries(roles.map((role) => [role, this.request.tOr(`${key}.${role}`, humanize(role))]));
      return {
        roles,
        role_names: names,
        offered: this.param("role") ?? roles[1] ?? roles[0],
        csrf: this.csrf("invite"),
      };
    }
    get #roles(): readonly string[] {
      return this.type.model.class.enums.role ?? [];
    }
  };
}
