import type { BaseController, Engine } from "framewright/host";
import type { BaseModel, ModelClass, ModelInfo, Query, Transaction } from "framewright/plugins/database";

/** Options of `scopeToEntity()`. */
export interface ScopeOptions {
  /** "path": the tenant's id, or its `paramKey`, follows the mount in the URL. Else the name of a method of the portal's concern that returns the tenant. */
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
  /** The URL parameter of the tenant (`organization_id`); undefined where a method finds it. */
  readonly parameter: string | undefined;
}

/** The service of the slot `scoping`. */
export interface Scoping {
  /** How a portal finds its tenant; undefined for one that is not scoped. */
  ruleOf(engine: Engine | string | undefined): ScopeRule | undefined;
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
