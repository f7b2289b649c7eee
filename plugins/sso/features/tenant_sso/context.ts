import type { AccountRecord, AuthlibBase, AuthlibClass, LoginSteps } from "framewright/plugins/authlib";
import type { Knex } from "framewright/plugins/database";
import { columnOf, type MembershipShape } from "framewright/plugins/memberships";
import type { IdentityClaims, OidcLoginSteps, WithOidc } from "framewright/plugins/oidc";
import type { Connection, Sso } from "../../contract.ts";
import { domainOfAddress } from "../../domains/domain_name.ts";
import type { Domains } from "../../domains/domains.ts";
import { type Connections, tenantOfProvider } from "../../store/connections.ts";
import type { TenantSsoOptions } from "./index.ts";

/** The account plugin with the parts that the steps of the feature share. */
export interface WithSso {
  /** The tenant's provider, domains and members of this request. */
  readonly sso: SsoContext;
}
export type Account = AuthlibBase & LoginSteps & WithOidc & OidcLoginSteps;
export type SsoBase = Account & WithSso;
export type SsoClass = AuthlibClass<SsoBase>;

/** The provider that an account has to sign in by. */
export interface Bond {
  readonly connection: Connection;
  /** The account's role in the tenant. */
  readonly role: string;
  /** What people call the tenant. */
  readonly company: string;
}

/** How many owners of a tenant are mailed. */
const MAX_OWNERS = 20;

/** What the steps of the feature share during a request. */
export class SsoContext {
  /** The role by the claims of the person who arrived with this request. */
  claimedRole: string | undefined;
  readonly #authlib: AuthlibBase;

  constructor(authlib: AuthlibBase) {
    this.#authlib = authlib;
  }
  get service(): Sso {
    return this.#authlib.request.kernel.service("sso");
  }
  get options(): TenantSsoOptions {
    return this.#authlib.optionsOf<TenantSsoOptions>("tenant_sso");
  }
  get connections(): Connections {
    return this.service.connections(this.#authlib.type);
  }
  get domains(): Domains {
    return this.service.domains(this.#authlib.type);
  }
  get shape(): MembershipShape {
    return this.service.shapeOf(this.#authlib.type);
  }
  get owner(): string {
    return this.shape.roles[0]!;
  }

  /** The tenant's provider of a name in an address; undefined for another provider's, and for one that was removed. */
  async connectionOf(provider: string | undefined): Promise<Connection | undefined> {
    const tenantId = tenantOfProvider(provider);
    return tenantId === undefined ? undefined : this.connections.find(tenantId);
  }
  labelOf(tenantId: number): Promise<string | undefined> {
    return this.service.labelOf(this.#authlib.type, tenantId);
  }
  /** Whether an address is in a domain that the tenant has proven. */
  async vouchesFor({ tenant_id }: Connection, address: string): Promise<boolean> {
    return (await this.domains.proven(domainOfAddress(address), tenant_id)) !== undefined;
  }
  async roleIn(
    tenantId: number,
    accountId: number,
    connection: Knex = this.#authlib.knex,
  ): Promise<string | undefined> {
    const { model, entity, user } = this.shape;
    const own = { [columnOf(entity)]: tenantId, [columnOf(user)]: accountId };
    const row = (await connection(model.table).where(own).first("role")) as { role: string } | undefined;
    return row?.role;
  }
  /** The accounts that own a tenant. */
  async ownersOf(tenantId: number): Promise<number[]> {
    const { model, entity, user } = this.shape;
    const owners = this.#authlib.knex(model.table).where({ [columnOf(entity)]: tenantId, role: this.owner });
    return ((await owners.orderBy("id").limit(MAX_OWNERS).pluck(columnOf(user))) as unknown[]).map(Number);
  }
  /** The tenant whose provider signs in addresses of a domain: one query, whether there is one or not. */
  async companyOf(domain: string | undefined): Promise<number | undefined> {
    const { type, knex } = this.#authlib;
    const [domains, connections] = [type.table("sso_domains"), type.table("sso_connections")];
    const query = knex(domains)
      .join(connections, `${connections}.tenant_id`, `${domains}.tenant_id`)
      .where(`${domains}.proven_domain`, domain ?? "")
      .select(`${domains}.tenant_id`)
      .limit(1);
    const [row] = await type.services.database.rows(query);
    return row && Number(row.tenant_id);
  }
  /** The role that a provider's claims give; undefined where none of its values is in the tenant's list. */
  roleOf({ roles_claim, roles }: Connection, claims: IdentityClaims): string | undefined {
    if (roles_claim === null) return undefined;
    const values = new Set(valuesOf(claims, roles_claim));
    return roles.find(({ value, role }) => values.has(value) && this.mayBeGiven(role))?.role;
  }
  mayBeGiven(role: string): boolean {
    return this.shape.roles.includes(role) && (role !== this.owner || this.options.ownerByClaims === true);
  }
  /** The provider by which an account has to sign in: that of the tenant which it is a member of and which has proven its domain. */
  async bondOf(account: AccountRecord): Promise<Bond | undefined> {
    const domain = await this.domains.proven(domainOfAddress(this.#authlib.loginOf(account)));
    const connection = domain && (await this.connections.find(domain.tenant_id));
    if (!connection?.enforced) return undefined;
    const role = await this.roleIn(connection.tenant_id, account.id);
    const company = role === undefined ? undefined : await this.labelOf(connection.tenant_id);
    return role === undefined || company === undefined ? undefined : { connection, role, company };
  }
}

/** The values of a claim as texts: by its name, else by a path, as `realm_access.roles`. */
function valuesOf(claims: IdentityClaims, name: string): string[] {
  const found = Object.hasOwn(claims, name) ? claims[name] : name.split(".").reduce<unknown>(memberOf, claims);
  return [found].flat().flatMap((one) => (typeof one === "string" || typeof one === "number" ? [String(one)] : []));
}
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
