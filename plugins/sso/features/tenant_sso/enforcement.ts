import { HttpError, type Reply } from "framewright/host";
import {
  type AccountRecord,
  type AuthlibBase,
  type AuthlibClass,
  type ChangeLoginSteps,
  type ResetPasswordSteps,
  storeTypedLogin,
} from "framewright/plugins/authlib";
import type { FoundIdentity } from "framewright/plugins/oidc";
import type { Connection } from "../../contract.ts";
import { domainOfAddress } from "../../domains/domain_name.ts";
import { providerName, tenantOfProvider } from "../../store/connections.ts";
import type { Bond, SsoBase, SsoClass } from "./context.ts";
import type { Entry } from "./provisioning.ts";

type Steps = SsoBase & Entry;
type KeyMail = Parameters<AuthlibBase["mailKey"]>[1];

/** What owners come in by where the provider fails: what they have themselves, with their second factor. */
const OWNERS_FACTORS = new Set(["password", "webauthn"]);
const RESET = "password_reset_keys";
const SIGN_IN_LINK = "email_auth_keys";
const LOGIN_CHANGE = "login_change_keys";

/** Members whose address is in a proven domain sign in by the provider alone, where the tenant requires that. */
export function withEnforcement(Base: SsoClass): SsoClass {
  return class WithEnforcement extends (Base as AuthlibClass<Steps>) {
    override async login(account: AccountRecord, factor: string): Promise<Reply> {
      const { arrived } = this.oidc;
      const tenantId = tenantOfProvider(arrived?.provider);
      if (arrived === undefined || tenantId === undefined) {
        const bond = await this.#bondBeyond(account, factor);
        return bond ? this.#leadToCompany(bond, account) : super.login(account, factor);
      }
      const connection = await this.sso.connections.find(tenantId);
      if (!connection) return this.oidc.back("warning", this.t("oidc.expired"));
      const refused = await this.entryProblem(account, connection);
      if (refused) return refused;
      await this.refreshRole(account, connection, this.sso.claimedRole);
      await this.sso.connections.noteUse(connection);
      return super.login(account, factor);
    }
    override async afterFirstFactor(account: AccountRecord, key: string): Promise<void> {
      const connection = await this.sso.connectionOf(this.oidc.arrived?.provider);
      if (connection) await this.sso.connections.bind(account.id, this.signIn!.id, connection);
      await super.afterFirstFactor(account, key);
    }
    override async afterLogin(account: AccountRecord, key: string): Promise<void> {
      await super.afterLogin(account, key);
      const bond = await this.sso.bondOf(account);
      if (bond && !this.#isConnecting(bond, account) && !(await this.#isOfCompany(bond.connection)))
        await this.#reportBypass(account, bond);
    }
    /** A person who is signed in another way, and was led to the provider, has signed in there. */
    override async reenterByOidc(found: FoundIdentity): Promise<Reply | undefined> {
      const connection = await this.sso.connectionOf(found.provider);
      if (!connection || !this.signIn) return super.reenterByOidc(found);
      const refused = await this.entryProblem(this.account!, connection);
      if (refused) return refused;
      if (!(await this.#isOfCompany(connection)))
        await this.sso.connections.bind(this.account!.id, this.signIn.id, connection);
      await this.sso.connections.noteUse(connection);
      return this.goTo(this.takeReturn() ?? (await this.loginRedirect()));
    }
    async requireCompanySignIn(tenantId: number, role: string | undefined): Promise<Reply | undefined> {
      const account = this.account;
      const connection = await this.sso.connections.find(tenantId);
      if (!connection?.enforced || !account || this.isActing) return undefined;
      if (!(await this.sso.domains.proven(domainOfAddress(this.loginOf(account)), tenantId))) return undefined;
      if (this.signIn && (await this.#isOfCompany(connection))) return undefined;
      const isOwner = role === this.sso.owner;
      if (isOwner && this.signIn?.factors.some((factor) => OWNERS_FACTORS.has(factor))) return undefined;
      const company = (await this.sso.labelOf(tenantId)) ?? "";
      if (!this.wantsJson) await this.rememberReturn();
      return this.#leadToCompany({ connection, company, role: role ?? "" }, account);
    }

    /** A link that would sign in past the provider, or lead to a password: what is mailed leads to the provider instead. */
    override async mailKey(account: AccountRecord, mail: KeyMail): Promise<boolean> {
      const bond = mail.table === RESET || mail.table === SIGN_IN_LINK ? await this.sso.bondOf(account) : undefined;
      if (!bond || (mail.table === RESET && bond.role === this.sso.owner)) return super.mailKey(account, mail);
      const locals = { url: this.mailUrl("sso"), company: bond.company };
      await this.mail(this.loginOf(account), "sso_instead", locals, { account });
      return true;
    }
    async mayReset(account: AccountRecord, key: string): Promise<boolean> {
      const own = (Base.prototype as unknown as Partial<ResetPasswordSteps>).mayReset;
      if (!own || !(await own.call(this, account, key))) return false;
      const bond = await this.sso.bondOf(account);
      return !bond || bond.role === this.sso.owner || this.#isConnecting(bond, account);
    }
    /** Another address would be out of the tenant's domains, and with it out of what the tenant requires. */
    async submitChangeLogin(): Promise<Reply> {
      const bond = await this.sso.bondOf(this.account!);
      const own = (Base.prototype as unknown as Partial<ChangeLoginSteps>).submitChangeLogin!;
      if (!bond || bond.role === this.sso.owner) return own.call(this);
      return this.done(this.t("sso.address_is_companys", { company: bond.company }), this.type.path("account"));
    }
    /** A link from before the account became a member leads out of the domains as well. */
    async submitVerifyLoginChange(): Promise<Reply> {
      const found = await this.findKey(LOGIN_CHANGE, this.keyParam());
      const bond = found && (await this.sso.bondOf(found.account));
      if (bond && bond.role !== this.sso.owner) return this.expiredLink("change-login");
      return (Base.prototype as unknown as Partial<ChangeLoginSteps>).submitVerifyLoginChange!.call(this);
    }

    /** What an account has to sign in by and does not with this factor. */
    async #bondBeyond(account: AccountRecord, factor: string): Promise<Bond | undefined> {
      const bond = await this.sso.bondOf(account);
      if (!bond || (bond.role === this.sso.owner && OWNERS_FACTORS.has(factor))) return undefined;
      return this.#isConnecting(bond, account) ? undefined : bond;
    }
    /** Whether the browser has just come from the provider with the account's address, and signs in to connect the two. */
    #isConnecting({ connection }: Bond, account: AccountRecord): boolean {
      const { found } = this.oidc;
      if (!found || found.provider !== providerName(connection.tenant_id)) return false;
      return found.more?.revision === connection.revision && this.isLoginOf(account, found.email ?? "");
    }
    #isOfCompany(connection: Connection): Promise<boolean> {
      return this.sso.connections.isBound(this.signIn!.id, connection);
    }
    #leadToCompany({ company }: Bond, account: AccountRecord): Reply {
      const message = this.t("sso.required", { company });
      if (this.wantsJson || this.type.class.apiOnly)
        return this.problem(new HttpError(403, "FW_COMPANY_SIGN_IN", `${message} ${this.type.path("sso")}`));
      storeTypedLogin(this.session, this.type.name, this.normalizeLogin(this.loginOf(account)));
      this.request.flash.add("info", message);
      return this.goTo(this.type.path("sso"));
    }
    async #reportBypass(account: AccountRecord, { connection, company }: Bond): Promise<void> {
      const { tenant_id } = connection;
      await this.emitEvent("company_sign_in_bypassed", { tenant: tenant_id }, account);
      const locals = { company, who: this.loginOf(account), time: new Date() };
      for (const id of await this.sso.ownersOf(tenant_id)) {
        const owner = await this.findAccountById(id);
        if (owner && this.isOpen(owner))
          await this.mail(this.loginOf(owner), "sso_bypassed", locals, { account: owner });
      }
    }
  } as unknown as SsoClass;
}
