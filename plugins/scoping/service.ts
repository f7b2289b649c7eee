import { type BaseController, type Engine, notFound } from "framewright/host";
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
import { tenantField } from "./tenant_condition.ts";
import { within } from "./tenant_confinement.ts";
import { hasMembership } from "./tenant_of_request.ts";
import { findWay, type Way } from "./tenant_path.ts";

interface Known {
  way: Way;
  field: AssociationInfo | undefined;
}

/** The scoped portals of an application, and how its models belong to their tenants. */
export class Scopes implements Scoping {
  readonly database: Database;
  readonly #rules = new Map<string, ScopeRule>();
  /** By the associations of a model, which are new objects when the database is read again. */
  readonly #known = new WeakMap<ReadonlyMap<string, AssociationInfo>, Map<ModelInfo, Known>>();

  readonly #none = new WeakMap<ReadonlyMap<string, AssociationInfo>, Set<ModelInfo>>();

  constructor(database: Database) {
    this.database = database;
  }

  get areThere(): boolean {
    return this.#rules.size > 0;
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
  query<M extends BaseModel>(entity: BaseModel, model: { new (): M }, transaction?: Transaction): Query<M> {
    const query = this.database.query(model, transaction);
    return confine(query, within(this, entity, this.database.model(model as unknown as ModelClass)));
  }
  async hasMembership(controller: BaseController, entity: BaseModel): Promise<boolean> {
    const rule = this.ruleOf(controller.request.engine);
    if (!rule) throw notFound();
    return hasMembership(this.database, rule, controller, entity);
  }

  /** How a model's records belong to a tenant. @throws FW_SCOPE_PATH, FW_SCOPE_AMBIGUOUS */
  way(model: ModelInfo, entity: ModelInfo): Way {
    return this.#knownOf(model, entity).way;
  }
  /** The same; undefined where nothing leads there. @throws FW_SCOPE_AMBIGUOUS */
  wayOrNone(model: ModelInfo, entity: ModelInfo): Way | undefined {
    const none = this.#none.get(model.associations) ?? new Set();
    if (none.has(entity)) return undefined;
    try {
      return this.way(model, entity);
    } catch (error) {
      if ((error as { code?: string }).code !== "FW_SCOPE_PATH") throw error;
      this.#none.set(model.associations, none.add(entity));
      return undefined;
    }
  }
  /** The association of a model that stands for the tenant. */
  field(model: ModelInfo, entity: ModelInfo): AssociationInfo | undefined {
    return this.#knownOf(model, entity).field;
  }

  #knownOf(model: ModelInfo, entity: ModelInfo): Known {
    const ofModel = this.#known.get(model.associations) ?? new Map<ModelInfo, Known>();
    const known = ofModel.get(entity);
    if (known) return known;
    const way = findWay(model, entity);
    const found = { way, field: tenantField(model, entity, way.association) };
    this.#known.set(model.associations, ofModel.set(entity, found));
    return found;
  }
}
