import { type Application, type BaseController, type Engine, notFound } from "framewright/host";
import {
  type AssociationInfo,
  type BaseModel,
  confine,
  type Database,
  type ModelClass,
  type ModelInfo,
  type Query,
  type Transaction,
} from "framewright/plugins/database";
import type { ScopeRule, Scoping } from "./contract.ts";
import { errors } from "./errors.ts";
import { entryOrigin, TenantStrategies } from "./strategies.ts";
import { tenantField } from "./tenant_condition.ts";
import { confinementOf } from "./tenant_confinement.ts";
import { hasMembership } from "./tenant_of_request.ts";
import { findTenantPath, type TenantPath } from "./tenant_path.ts";
import { tenantsOfRecords } from "./tenants_of_records.ts";

interface ModelPath {
  path: TenantPath;
  field: AssociationInfo | undefined;
}

/** The scoped portals of an application, and the paths from its models to their tenants. */
export class ScopingService implements Scoping {
  readonly database: Database;
  readonly strategies: TenantStrategies;
  readonly #host: Application;
  readonly #rules = new Map<string, ScopeRule>();
  /** Keyed by a model's associations, which are new objects after a schema reload. */
  readonly #known = new WeakMap<ReadonlyMap<string, AssociationInfo>, Map<ModelInfo, ModelPath>>();

  readonly #none = new WeakMap<ReadonlyMap<string, AssociationInfo>, Set<ModelInfo>>();

  constructor(database: Database, host: Application) {
    this.database = database;
    this.#host = host;
    this.strategies = new TenantStrategies(() => host.kernel.registrant);
  }

  /** How each scoped portal finds its tenant. */
  get rules(): readonly ScopeRule[] {
    return [...this.#rules.values()];
  }
  get hasRules(): boolean {
    return this.#rules.size > 0;
  }
  /** The model of tenants; undefined where portals have none, or different ones. */
  get onlyEntity(): ModelInfo | undefined {
    const entities = new Set([...this.#rules.values()].map(({ entity }) => entity));
    return entities.size === 1 ? [...entities][0] : undefined;
  }
  /** @throws FW_SCOPE_TWICE */
  add(rule: ScopeRule): void {
    const { name } = rule.engine;
    const taken = this.#rules.get(name);
    if (taken) throw errors.FW_SCOPE_TWICE(name, taken.entity.constant, rule.entity.constant);
    this.#rules.set(name, rule);
  }
  ruleOf(engine: Engine | string | undefined): ScopeRule | undefined {
    return this.#rules.get(typeof engine === "string" ? engine : (engine?.name ?? ""));
  }
  entryUrl({ request }: BaseController): string | undefined {
    const rule = this.ruleOf(request.engine);
    if (rule?.parameter !== undefined) return request.mountPath.replace(/\/[^/]*$/, "") || "/";
    const origin = rule && entryOrigin(rule, this.#host, request);
    return origin === undefined ? undefined : origin + request.mountPath;
  }
  query<M extends BaseModel>(entity: BaseModel, model: { new (): M }, transaction?: Transaction): Query<M> {
    const query = this.database.query(model, transaction);
    return confine(query, confinementOf(this, entity, this.database.model(model as unknown as ModelClass)));
  }
  async hasMembership(controller: BaseController, entity: BaseModel): Promise<boolean> {
    const rule = this.ruleOf(controller.request.engine);
    if (!rule) throw notFound();
    return hasMembership(this.database, rule, controller, entity);
  }

  async tenantsOf(records: readonly BaseModel[], model: ModelInfo, { entity }: ScopeRule) {
    return tenantsOfRecords(this.database, this.tenantPath(model, entity), entity, records);
  }

  /** How a model's records belong to a tenant. @throws FW_SCOPE_PATH, FW_SCOPE_AMBIGUOUS */
  tenantPath(model: ModelInfo, entity: ModelInfo): TenantPath {
    return this.#knownOf(model, entity).path;
  }
  leadsToTenant(model: ModelInfo, { entity }: ScopeRule): boolean {
    return model === entity || this.findTenantPath(model, entity) !== undefined;
  }
  /** The same; undefined where no path exists. @throws FW_SCOPE_AMBIGUOUS */
  findTenantPath(model: ModelInfo, entity: ModelInfo): TenantPath | undefined {
    const none = this.#none.get(model.associations) ?? new Set();
    if (none.has(entity)) return undefined;
    try {
      return this.tenantPath(model, entity);
    } catch (error) {
      if ((error as { code?: string }).code !== "FW_SCOPE_PATH") throw error;
      this.#none.set(model.associations, none.add(entity));
      return undefined;
    }
  }
  /** The association of a model with the tenant. */
  tenantField(model: ModelInfo, entity: ModelInfo): AssociationInfo | undefined {
    return this.#knownOf(model, entity).field;
  }

  #knownOf(model: ModelInfo, entity: ModelInfo): ModelPath {
    const ofModel = this.#known.get(model.associations) ?? new Map<ModelInfo, ModelPath>();
    const known = ofModel.get(entity);
    if (known) return known;
    const path = findTenantPath(model, entity);
    const found = { path, field: tenantField(model, entity, path.association) };
    this.#known.set(model.associations, ofModel.set(entity, found));
    return found;
  }
}
