import type { BaseController, Engine, RequestContext } from "framewright/host";
import type { RegistryOptions, Settings } from "framewright/kernel";
import type { BaseModel, ModelClass, ModelInfo, Query, Transaction } from "framewright/plugins/database";

/** Options of `scopeToEntity()`. */
export interface ScopeOptions {
  /**
   * "path": the tenant's id, or its `paramKey`, follows the mount in the URL. "subdomain": it is the first label of the
   * host name. Else a plugin's strategy, or the name of a method of the portal's concern that returns the tenant.
   */
  strategy?: string;
}

/** How a portal finds its tenant. */
export interface ScopeRule {
  readonly engine: Engine;
  /** The model whose records are the tenants. */
  readonly entity: ModelInfo;
  readonly strategy: string;
  /** The column by which URLs name the tenant. */
  readonly paramKey: string;
  /** The URL parameter of the tenant (`organization_id`); undefined with every strategy but "path". */
  readonly parameter: string | undefined;
  /** The strategy that a plugin registered under that name; undefined for "path" and for a method. */
  readonly registered: TenantStrategy | undefined;
}

/** Where an address is built. */
export interface TenantPlace {
  readonly rule: ScopeRule;
  readonly settings: Settings;
  /** Undefined in jobs and mails. */
  readonly request: RequestContext | undefined;
  /** The origin of a host name, with the scheme and port of APP_URL, else of the request: `place.origin("acme.shop.example")`. */
  origin(name: string): string;
}

/** How a portal finds its tenant, and where a tenant's pages are. `framewright/conformance/scoping_strategies` tests one. */
export interface TenantStrategy {
  /**
   * The tenant that a request names, undefined for none. It only identifies the tenant: whether the person may enter is checked
   * afterwards, and a foreign tenant gets the 404 of one that does not exist. What identifies a tenant must come from
   * where the person can't choose it freely, as the host name or a header that a gateway sets.
   */
  find(request: RequestContext, rule: ScopeRule): BaseModel | null | undefined | Promise<BaseModel | null | undefined>;
  /** The origin of a tenant's pages, as `https://acme.shop.example`; left out where all tenants share one. */
  url?(entity: BaseModel, place: TenantPlace): string;
  /** The origin at which the mount's root lists the tenants of a person, with their `url`; undefined where none does. */
  entry?(place: TenantPlace): string | undefined;
  /** Runs at boot, for each portal of this strategy: throws what makes it unusable. */
  check?(rule: ScopeRule): void;
}

/** The strategies of plugins. */
export interface StrategyRegistry {
  /** @throws FW_REGISTRY_TAKEN, FW_SCOPE_STRATEGY_SHAPE, FW_SCOPE_STRATEGY_LATE */
  add(name: string, strategy: TenantStrategy, options?: RegistryOptions): void;
  names(): string[];
}

/** The service of the slot `scoping`. */
export interface Scoping {
  /** `services.scoping.strategies.add("gateway", { find: (request, rule) => … })` */
  readonly strategies: StrategyRegistry;
  /** The list of tenants at the mount's root, for a request within a tenant: a path, or an address where tenants have hosts. Undefined where there is none. */
  entryUrl(controller: BaseController): string | undefined;
  /** How a portal finds its tenant; undefined for one that is not scoped. */
  ruleOf(engine: Engine | string | undefined): ScopeRule | undefined;
  /** Whether a model's records lead to the tenants of a portal, or are these. @throws FW_SCOPE_AMBIGUOUS */
  leadsToTenant(model: ModelInfo, rule: ScopeRule): boolean;
  /**
   * The keys of the tenants that stored records of one model belong to, each once; records that were just deleted are found by
   * what they refer to. Undefined where a scope of a model decides it.
   * @throws FW_SCOPE_PATH, FW_SCOPE_AMBIGUOUS
   */
  tenantsOf(
    records: readonly BaseModel[],
    model: ModelInfo,
    rule: ScopeRule,
  ): Promise<readonly (number | string)[] | undefined>;
  /** Whether a request's account has an association with a tenant: the default of `authorizeEntity`. */
  hasMembership(controller: BaseController, entity: BaseModel): Promise<boolean>;
  /** A query within one tenant, outside a request: for instance in a job with the tenant's id in its payload. */
  query<M extends BaseModel>(entity: BaseModel, model: { new (): M }, transaction?: Transaction): Query<M>;
}

declare module "framewright/kernel" {
  interface Slots {
    scoping: { service: Scoping };
  }
}
declare module "framewright/host" {
  interface EngineMacros {
    /** Scopes a portal to tenants: it shows only the records of the tenant that the URL, or a method, names. */
    scopeToEntity(entity: ModelClass, options?: ScopeOptions): void;
  }
}
