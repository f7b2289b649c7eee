import type { Reply } from "framewright/host";
import { type AccountRecord, type AuthlibClass, storeTypedLogin } from "framewright/plugins/authlib";
import { type Transaction, ValidationError } from "framewright/plugins/database";
import type { IdentityClaims } from "../../contract.ts";
import { FACTOR, type OidcBase, type OidcClass, STRONG_FACTOR } from "./context.ts";
import type { OidcLoginSteps } from "./index.ts";
import { clearFound, type FoundIdentity } from "./pending.ts";

type Steps = Pick<OidcLoginSteps, "oidcIdentityPage" | "submitOidcIdentity" | "oidcAccountValues">;

/** The page for an identity that no account is connected to: sign in, create an account, or connect it. */
export function withNewIdentity(Base: OidcClass): AuthlibClass<OidcBase & Steps> {
  return class WithNewIdentity extends Base {
    async oidcIdentityPage(): Promise<Reply> {
      const refused = await this.#requireFound();
      return refused ?? this.page(this.account ? "oidc_connect" : "oidc_new", await this.#foundLocals());
    }
    async submitOidcIdentity(): Promise<Reply> {
      const refused = await this.#requireFound();
      if (refused) return refused;
      if (this.param("discard") !== undefined) {
        clearFound(this.session);
        return this.account ? this.loggedIn() : this.goTo(this.type.path("login"));
      }
      return this.account ? this.#connect() : this.#create();
    }

    oidcAccountValues({ name }: Pick<IdentityClaims, "name" | "email">): Record<string, unknown> {
      const isColumn = this.type.model.columns.get("name")?.type === "string";
      return isColumn && name !== undefined ? { name } : {};
    }

    async #requireFound(): Promise<Reply | undefined> {
      await this.load();
      if (this.signIn?.pending !== undefined) return this.requirePendingStep(this.signIn.pending);
      return this.oidc.found ? undefined : this.oidc.back("warning", this.t("oidc.expired"));
    }
    async #foundLocals() {
      const { label, email, name } = this.oidc.found!;
      const shown = {
        provider: label,
        identity: email ?? name ?? "",
        csrf: this.csrf("oidc-identity"),
      };
      if (this.account)
        return { ...shown, login: this.loginOf(this.account), asks_password: await this.asksForPassword() };
      return { ...shown, may_create: this.mayCreateFromOidc(this.oidc.found!), address: email };
    }

    async #connect(): Promise<Reply> {
      const found = this.oidc.found!;
      const refused = await this.confirmIdentity("oidc_connect", await this.#foundLocals());
      if (refused) return refused;
      const account = this.account!;
      const stopped = await this.beforeConnectOidc(found);
      if (stopped) return stopped;
      const isAdded = await this.changeFactors(async (trx) => {
        const isNew = await this.oidc.identities.add(account.id, found, trx);
        if (isNew) await this.afterConnectOidc(found, trx);
        return isNew;
      });
      clearFound(this.session);
      if (isAdded === undefined) return this.requireAuthentication();
      const taken = isAdded ? undefined : await this.oidc.identities.find(found);
      if (taken && taken.account_id !== account.id) return this.oidc.back("error", this.t("oidc.taken"));
      if (isAdded) await this.emitEvent("identity_connected", { provider: found.provider });
      const message = this.t("oidc.connected", { provider: found.label });
      return this.done(message, this.takeReturn() ?? this.type.path("oidc-identities"));
    }

    /** Creates an account from the claims of a provider: at once where it proves the address, else by a mailed link. */
    async #create(): Promise<Reply> {
      const found = this.oidc.found!;
      const refuse = async (message: string) => this.refuse("oidc_new", { message, locals: await this.#foundLocals() });
      if (!this.mayCreateFromOidc(found)) return refuse(this.t("oidc.invited_only"));
      const login = this.normalizeLogin(found.email ?? "");
      const problem = login === "" ? this.t("oidc.no_address") : this.loginProblem(login);
      if (problem !== undefined) return refuse(problem);
      if (!found.isProven) return this.#toSignUp(login);
      await this.takeMail("create-account", login);
      const refused = await this.beforeCreateAccount!(login);
      if (refused) return refused;
      this.oidc.provenAddress = login;
      try {
        const account = await this.transaction((trx) => this.#insert(login, found, trx));
        if (!account) return refuse(this.t("oidc.address_taken"));
        clearFound(this.session);
        const { provider } = found;
        await this.emitEvent("identity_connected", { provider }, account);
        this.oidc.arrived = found;
        return this.login((await this.findAccountById(account.id))!, found.isStrong ? STRONG_FACTOR : FACTOR);
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        const isTaken = this.type.class.loginColumn in error.problems;
        return refuse(isTaken ? this.t("oidc.address_taken") : Object.values(error.fields).flat().join(" "));
      } finally {
        this.oidc.provenAddress = undefined;
      }
    }
    async #insert(login: string, found: FoundIdentity, transaction: Transaction): Promise<AccountRecord | undefined> {
      const values = this.oidcAccountValues(found);
      const account = await this.signUp!({ login, values, transaction });
      if (account && !(await this.oidc.identities.add(account.id, found, transaction)))
        throw this.invalid({}, this.t("oidc.taken")); // connected to another account meanwhile: undoes the account
      return account;
    }
    /** To the sign-up with the address filled in: whoever has an address by their word alone verifies it by mail. */
    #toSignUp(login: string): Reply {
      storeTypedLogin(this.session, this.type.name, login);
      this.request.flash.add("info", this.t("oidc.verify_address", { provider: this.oidc.found!.label }));
      return this.goTo(this.type.path("create-account"));
    }
  };
}
