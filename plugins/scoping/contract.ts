import type { BaseController, Engine } from "framewright/host";
import type { BaseModel, ModelClass, ModelInfo, Query, Transaction } from "framewright/plugins/database";

export interface ScopeOptions {
  /** "path": the tenant's id stands after the mount. Else the name of a method of the portal's concern that returns the tenant. */
  strategy?: string;
}

/** How a portal finds its tenant. */
export interface ScopeRule {
  readonly engine: Engine;
  /** The model whose records are the tenants. */
  readonly entity: ModelInfo;
  readonly strategy: string;
  /** The parameter that stands for the tenant in paths (`organization_id`); undefined where a method finds it. */
  readonly parameter: string | undefined;
}

/** The service of the slot "scoping". */
export interface Scoping {
  /** How a portal finds its tenant; undefined for one that is not scoped. */
  ruleOf(engine: Engine | string | undefined): ScopeRule | undefined;
  /** Whether the account of a request has an association with a tenant: what decides where `authorizeEntity` is not written. */
  hasMembership(controller: BaseController, entity: BaseModel): Promise<boolean>;
  /** A query within one tenant, where no request names it: in a job whose payload has the tenant's id, say. */
  query<M extends BaseModel>(entity: BaseModel, model: { new (): M }, transaction?: Transaction): Query<M>;
}

declare module "framewright/kernel" {
  interface Slots {
    scoping: { service: Scoping };
  }
}
declare module "framewright/host" {
  interface EngineMacros {
    /** Divides a portal by tenants: every record in it belongs to the one that the path, or a method, names. */
    scopeToEntity(entity: ModelClass, options?: ScopeOptions): void;
  }
}
