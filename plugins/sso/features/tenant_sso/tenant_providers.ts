import type { Reply } from "framewright/host";
import type { AccountRecord, AuthlibClass } from "framewright/plugins/authlib";
import { findOrCreate, type ModelClass, type Transaction } from "framewright/plugins/database";
import { columnOf, isAtLeast, LastOwnerError, managerRole } from "framewright/plugins/memberships";
import type { FoundIdentity, IdentityClaims, IdentityRow, NamedProvider } from "framewright/plugins/oidc";
import type { Connection } from "../../contract.ts";
import { domainName } from "../../domains/domain_name.ts";
import { tenantOfProvider } from "../../store/connections.ts";
import { type Account, type SsoClass, SsoContext } from "./context.ts";
import { hostedDomain, providerOfTenant } from "./provider_of_tenant.ts";
import { withProvisioning } from "./provisioning.ts";

/** Letters besides those of ASCII may become the address of somebody else in lower case. */
const PLAIN = /^[\x21-\x7e]{1,64}@[^@]{1,253}$/;

/** The person who comes from a tenant's provider: for whom it vouches, into which account, as which member. */
export function withTenantProviders(Base: AuthlibClass): SsoClass {
  return withProvisioning(withConnections(Base as AuthlibClass<Account>));
}

function withConnections(Base: AuthlibClass<Account>): SsoClass {
  return class WithConnections extends Base {
    readonly sso = new SsoContext(this);

    override async findOidcProvider(name: string): Promise<NamedProvider | undefined> {
      if (tenantOfProvider(name) === undefined) return super.findOidcProvider(name);
      const { sso } = this;
      const connection = await sso.connectionOf(name);
      const label = connection && (await sso.labelOf(connection.tenant_id));
      const secret = connection && (await sso.connections.secretOf(connection));
      if (!connection || label === undefined || secret === undefined) return undefined;
      return providerOfTenant({ connection, secret, label, fetch: sso.service.fetch, options: sso.options });
    }
    override async oidcLabel(name: string): Promise<string> {
      const tenantId = tenantOfProvider(name);
      if (tenantId === undefined) return super.oidcLabel(name);
      return (await this.sso.labelOf(tenantId)) ?? this.t("sso.company");
    }
    override mayCreateFromOidc(found: FoundIdentity): boolean {
      return tenantOfProvider(found.provider) === undefined && super.mayCreateFromOidc(found);
    }
    /** A tenant's provider vouches for addresses in the tenant's proven domains alone. */
    override async beforeOidc(provider: string, claims: IdentityClaims): Promise<Reply | undefined> {
      const refused = await super.beforeOidc(provider, claims);
      if (refused || tenantOfProvider(provider) === undefined) return refused;
      const connection = await this.sso.connectionOf(provider);
      if (!connection) return this.oidc.back("warning", this.t("oidc.expired"));
      const problem = await this.#addressProblem(connection, claims);
      this.sso.claimedRole = this.sso.roleOf(connection, claims);
      if (problem === undefined) return undefined;
      await this.emitEvent("login_failed", { by: "oidc", provider, reason: problem });
      return this.oidc.back("error", this.t(`sso.${problem}`));
    }
    /** People with an account that is there may connect it, where it is in the tenant's domains itself. */
    override async beforeConnectOidc(found: FoundIdentity): Promise<Reply | undefined> {
      const tenantId = tenantOfProvider(found.provider);
      if (tenantId === undefined) return super.beforeConnectOidc(found);
      const connection = await this.sso.connectionOf(found.provider);
      if (!connection || connection.revision !== found.more?.revision)
        return this.oidc.back("warning", this.t("oidc.expired"));
      return this.entryProblem(this.account!, connection, connection.provisions);
    }
    override async afterConnectOidc(found: FoundIdentity, transaction: Transaction): Promise<void> {
      await super.afterConnectOidc(found, transaction);
      if (tenantOfProvider(found.provider) === undefined) return;
      const connection = { id: Number(found.more?.connection), revision: String(found.more?.revision) };
      await this.join(this.account!, connection, found.more?.role, transaction);
      await this.sso.connections.bind(this.account!.id, this.signIn!.id, connection, transaction);
      await this.sso.connections.noteUse(connection, transaction);
    }
    override async oidcRemovalProblem(identity: Pick<IdentityRow, "id" | "provider">): Promise<string | undefined> {
      const tenantId = tenantOfProvider(identity.provider);
      const bond = tenantId === undefined ? undefined : await this.sso.bondOf(this.account!);
      if (bond?.connection.tenant_id !== tenantId || !bond || bond.role === this.sso.owner)
        return super.oidcRemovalProblem(identity);
      return this.t("sso.needed", { company: bond.company });
    }

    /** Why an account does not come in by a tenant's provider: its own address is another's to vouch for, or it is no member. */
    async entryProblem(account: AccountRecord, connection: Connection, mayJoin = false): Promise<Reply | undefined> {
      const { sso } = this;
      const company = (await sso.labelOf(connection.tenant_id)) ?? "";
      const refuse = async (reason: string) => {
        await this.emitEvent("login_failed", { by: "oidc", tenant: connection.tenant_id, reason }, account);
        return this.oidc.back("error", this.t(`sso.${reason}`, { company }));
      };
      if (!(await sso.vouchesFor(connection, this.loginOf(account)))) return refuse("other_address");
      if (!mayJoin && (await sso.roleIn(connection.tenant_id, account.id)) === undefined) return refuse("no_member");
      return undefined;
    }
    /** Makes an account a member of a tenant, who may be one already. */
    async join(
      { id }: { id: number },
      begun: Pick<Connection, "id" | "revision">,
      role: string | undefined,
      transaction: Transaction,
    ): Promise<void> {
      const connection = await this.sso.connections.lock(begun, transaction);
      if (!connection) throw this.invalid({}, this.t("oidc.expired")); // changed or removed meanwhile
      const { model, entity, user } = this.sso.shape;
      const keys = { [columnOf(entity)]: connection.tenant_id, [columnOf(user)]: id };
      const given = role !== undefined && this.sso.mayBeGiven(role) ? role : connection.default_role;
      await findOrCreate(model.class as never, keys as never, { role: given } as never, transaction);
    }
    /** Gives a member the role of the provider's claims. Owners keep theirs. */
    async refreshRole(account: AccountRecord, connection: Connection, role: string | undefined): Promise<void> {
      if (!connection.refreshes_roles || role === undefined) return;
      const { model, entity, user } = this.sso.shape;
      const own = { [columnOf(entity)]: connection.tenant_id, [columnOf(user)]: account.id };
      const { database } = this.type.services;
      const cls = model.class as ModelClass & { new (): never };
      const isOwnersBusiness = this.sso.options.ownerByClaims !== true;
      await database
        .transaction(async (transaction) => {
          const row = (await transaction(model.table).where(own).forUpdate().first("id", "role")) as
            | { id: number; role: string }
            | undefined;
          if (!row || row.role === role || (isOwnersBusiness && row.role === this.sso.owner)) return;
          await database
            .query(cls, transaction)
            .findById(row.id)
            .patch({ role } as never);
        })
        .catch((error: unknown) => {
          if (!(error instanceof LastOwnerError)) throw error;
        });
    }
    /** Whether a member has a role that manages members, which no claim of an address is enough for. */
    async manages(accountId: number, connection: Connection): Promise<boolean> {
      const { roles } = this.sso.shape;
      return isAtLeast(roles, await this.sso.roleIn(connection.tenant_id, accountId), managerRole(roles));
    }

    async #addressProblem(connection: Connection, claims: IdentityClaims): Promise<string | undefined> {
      const { email, email_verified } = claims;
      if (typeof email !== "string" || !PLAIN.test(email)) return "no_address";
      if (this.loginProblem(this.normalizeLogin(email)) !== undefined) return "no_address";
      const isVerified = (email_verified as unknown) === true || (email_verified as unknown) === "true";
      const isDenied = email_verified !== undefined && !isVerified;
      if (isDenied || (this.sso.options.requiresVerifiedEmail && !isVerified)) return "unverified_address";
      if (!(await this.sso.vouchesFor(connection, email))) return "foreign_address";
      const hosted = hostedDomain(connection, claims);
      if (hosted === undefined) return undefined;
      const isOwn = hosted !== false && (await this.sso.domains.proven(domainName(hosted), connection.tenant_id));
      return isOwn ? undefined : "foreign_address";
    }
  } as unknown as SsoClass;
}
