import type { Application } from "framewright/host";
import { type GuardedFetch, guardedFetch, type TargetRules } from "framewright/host/outbound";
import { type AccountType, offlineAuthlib } from "framewright/plugins/authlib";
import type { BaseModel } from "framewright/plugins/database";
import type { Limiter } from "framewright/plugins/limits";
import { columnOf, type MembershipShape, membershipShapes } from "framewright/plugins/memberships";
import type { Domain, Sso } from "./contract.ts";
import { shownDomain } from "./domains/domain_name.ts";
import { Domains } from "./domains/domains.ts";
import { errors } from "./errors.ts";
import type { TenantSsoOptions } from "./features/tenant_sso/index.ts";
import type { Settled } from "./options.ts";
import { Connections } from "./store/connections.ts";

/** How many owners of a tenant are mailed. */
const MAX_MAILED = 20;

interface Parts {
  readonly application: Application;
  readonly settled: Settled;
  readonly lookups: Limiter;
  readonly checks: Limiter;
}

/** What the feature and the pages share; tables are those of each account type. */
export class SsoService implements Sso {
  readonly fetch: GuardedFetch;
  readonly rules: TargetRules;
  readonly lookups: Limiter;
  readonly checks: Limiter;
  readonly #parts: Parts;
  readonly #shapes = new Map<AccountType, MembershipShape>();
  readonly #domains = new Map<AccountType, Domains>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.fetch = guardedFetch(parts.settled.outbound);
    this.rules = parts.settled.outbound;
    this.lookups = parts.lookups;
    this.checks = parts.checks;
  }

  domains(type: AccountType): Domains {
    const known = this.#domains.get(type);
    if (known) return known;
    const { dns, renewMs, graceMs } = this.#parts.settled;
    const made = new Domains(type, {
      ...{ dns, renewMs, graceMs },
      exists: async (tenantId) => (await this.labelOf(type, tenantId)) !== undefined,
      announceLapse: (domain) => this.#announceLapse(type, domain),
    });
    this.#domains.set(type, made);
    return made;
  }
  connections(type: AccountType): Connections {
    return new Connections(type);
  }
  get refusedDomains(): ReadonlySet<string> {
    return this.#parts.settled.refused;
  }

  shapeOf(type: AccountType): MembershipShape {
    const known = this.#shapes.get(type);
    if (known) return known;
    const { membership, configures, enforces, defaultRole } = optionsOf(type);
    const all = membershipShapes(this.#parts.application.kernel, type);
    const own = membership === undefined ? all : all.filter(({ model }) => model.constant === membership);
    const names = all.map(({ model }) => model.constant);
    if (own.length !== 1) throw errors.FW_SSO_MEMBERSHIP(type.name, names);
    const [shape] = own as [MembershipShape];
    for (const [option, role] of Object.entries({ configures, enforces, defaultRole }))
      if (role !== undefined && !shape.roles.includes(role))
        throw errors.FW_SSO_ROLE(type.name, option, role, shape.roles);
    this.#shapes.set(type, shape);
    return shape;
  }
  async labelOf(type: AccountType, tenantId: number): Promise<string | undefined> {
    const { entity } = this.shapeOf(type);
    const { database } = type.services;
    const found = await database.query(entity.target.class as { new (): BaseModel }).findById(tenantId);
    return found && (found as unknown as BaseModel & { toLabel(): string }).toLabel();
  }

  /** Calls back for each account that owns a tenant. */
  async eachOwner(type: AccountType, tenantId: number, mail: (account: never) => Promise<void>): Promise<void> {
    const { model, entity, user, roles } = this.shapeOf(type);
    const { knex } = type.services.database;
    const owners = knex(model.table).where({ [columnOf(entity)]: tenantId, role: roles[0]! });
    const authlib = offlineAuthlib(type);
    for (const id of (await owners.limit(MAX_MAILED).pluck(columnOf(user))) as unknown[]) {
      const account = await authlib.findAccountById(Number(id));
      if (account && authlib.isOpen(account)) await mail(account as never);
    }
  }
  async #announceLapse(type: AccountType, { tenant_id, domain }: Domain): Promise<void> {
    const authlib = offlineAuthlib(type);
    const company = (await this.labelOf(type, tenant_id)) ?? "";
    const locals = { company, domain: shownDomain(domain) };
    await this.eachOwner(type, tenant_id, (account) =>
      authlib.mail(authlib.loginOf(account), "sso_domain_lapsed", locals, { account }),
    );
  }
}

/** The options of the feature of an account type. */
export const optionsOf = (type: AccountType): TenantSsoOptions =>
  (type.features.get("tenant_sso")?.options ?? {}) as TenantSsoOptions;
