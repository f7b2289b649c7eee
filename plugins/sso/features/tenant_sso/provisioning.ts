import type { Reply } from "framewright/host";
import type { AccountRecord, AuthlibClass, CreateAccountSteps } from "framewright/plugins/authlib";
import { type Transaction, ValidationError } from "framewright/plugins/database";
import type { FoundIdentity, IdentityClaims } from "framewright/plugins/oidc";
import type { Connection } from "../../contract.ts";
import type { SsoBase, SsoClass } from "./context.ts";

/** What `withConnections` adds besides its overrides. */
export interface Entry {
  entryProblem(account: AccountRecord, connection: Connection, mayJoin?: boolean): Promise<Reply | undefined>;
  join(
    account: { id: number },
    begun: Pick<Connection, "id" | "revision">,
    role: string | undefined,
    transaction: Transaction,
  ): Promise<void>;
  refreshRole(account: AccountRecord, connection: Connection, role: string | undefined): Promise<void>;
  manages(accountId: number, connection: Connection): Promise<boolean>;
}

/** The first sign-in of somebody by a tenant's provider: an account is created, or connected. */
export function withProvisioning(Base: SsoClass): SsoClass {
  return class WithProvisioning extends (Base as AuthlibClass<SsoBase & Entry>) {
    override async newOidcIdentity(given: FoundIdentity, claims: IdentityClaims): Promise<Reply> {
      const connection = await this.sso.connectionOf(given.provider);
      if (!connection) return super.newOidcIdentity(given, claims);
      const role = this.sso.claimedRole;
      const more = {
        connection: String(connection.id),
        revision: connection.revision,
        ...(role === undefined ? {} : { role }),
      };
      const found: FoundIdentity = { ...given, more };
      if (this.isSignedIn) return super.newOidcIdentity(found, claims);
      const account = await this.findAccountByLogin(String(claims.email));
      const isUnclaimed = account !== undefined && (await this.isUnclaimed(account));
      if (account && !isUnclaimed) {
        const isEnough = await this.#isEnough(account, connection, claims);
        return isEnough ? this.#connect(account, found, connection) : super.newOidcIdentity(found, claims);
      }
      if (!connection.provisions) {
        await this.emitEvent("login_failed", { by: "oidc", provider: found.provider, reason: "invited_only" });
        return this.oidc.back("error", this.t("sso.invited_only", { company: found.label }));
      }
      return this.#create(found, connection, account);
    }

    /** Whether an account that is there is connected by its address alone. Never one that could manage the tenant. */
    async #isEnough(account: AccountRecord, connection: Connection, claims: IdentityClaims): Promise<boolean> {
      if (this.sso.options.connectsByAddress !== true || claims.email_verified !== true) return false;
      return (await this.maySignIn(account)) && !(await this.manages(account.id, connection));
    }
    async #connect(account: AccountRecord, found: FoundIdentity, connection: Connection): Promise<Reply> {
      const refused = await this.entryProblem(account, connection, connection.provisions);
      if (refused) return refused;
      await this.transaction(async (trx) => {
        await this.oidc.identities.add(account.id, found, trx);
        await this.join(account, connection, found.more?.role, trx);
      });
      return this.#enter(account, found);
    }

    /** Creates account and membership, of whom the provider vouches for. An account that nobody has verified gives way. */
    async #create(found: FoundIdentity, connection: Connection, unclaimed?: AccountRecord): Promise<Reply> {
      const login = this.normalizeLogin(found.email!);
      const steps = this as Partial<CreateAccountSteps>;
      const refused = await steps.beforeCreateAccount?.(login);
      if (refused) return refused;
      const referrers = unclaimed ? await this.type.referrers() : [];
      this.oidc.provenAddress = login;
      try {
        const account = await this.transaction(async (trx) => {
          if (unclaimed && !(await this.deleteUnverified(unclaimed, referrers, trx))) return undefined;
          const values = this.oidcAccountValues(found);
          const created = steps.signUp
            ? await steps.signUp.call(this, { login, values, transaction: trx })
            : await this.#insert(login, values, trx);
          if (!created || !(await this.oidc.identities.add(created.id, found, trx)))
            throw this.invalid({}, this.t("oidc.taken")); // connected meanwhile: undoes the account
          await this.join(created, connection, found.more?.role, trx);
          return created;
        });
        if (!account) return this.oidc.back("error", this.t("oidc.address_taken"));
        if (!steps.signUp) await this.emitEvent("created", {}, account);
        return this.#enter((await this.findAccountById(account.id))!, found);
      } catch (error) {
        const { status } = error as { status?: number };
        if (!(error instanceof ValidationError) && status !== 422) throw error;
        const isTaken = error instanceof ValidationError && this.type.class.loginColumn in error.problems;
        const texts = error instanceof ValidationError ? Object.values(error.fields).flat().join(" ") : undefined;
        return this.oidc.back("error", isTaken ? this.t("oidc.address_taken") : (texts ?? (error as Error).message));
      } finally {
        this.oidc.provenAddress = undefined;
      }
    }
    async #insert(login: string, values: Record<string, unknown>, transaction: Transaction): Promise<AccountRecord> {
      const row = { ...values, [this.type.class.loginColumn]: login, account_status: "verified" };
      return (await this.type.model.class.query(transaction).insert(row as never)) as unknown as AccountRecord;
    }
    async #enter(account: AccountRecord, found: FoundIdentity): Promise<Reply> {
      await this.emitEvent("identity_connected", { provider: found.provider }, account);
      this.oidc.arrived = found;
      return this.login(account, this.oidc.factorOf(found));
    }
  } as unknown as SsoClass;
}
