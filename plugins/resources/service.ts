import { type BaseController, notFound, type RequestContext } from "framewright/host";
import type { Registry } from "framewright/kernel";
import {
  type AssociationInfo,
  type BaseModel,
  confine,
  type Database,
  findNamed,
  keysTo,
  ModelInfo,
  type Query,
  queryPlace,
  valueOfRecord,
  whereNamed,
} from "framewright/plugins/database";
import type { FieldType } from "framewright/plugins/fields";
import type { Transaction } from "objection";
import type { ResourceHooks } from "./contract.ts";
import { allows, LazyPolicyContext, observePolicy, Policy, type PolicyClass } from "./definition/policy.ts";
import { type AddCondition, type Narrowing, narrow, narrowingOf, QueryScope } from "./definition/query_scope.ts";
import type { Entry } from "./entry/entry.ts";
import { findByFormerSlug } from "./entry/former_address.ts";
import { hideReferences } from "./entry/hidden_references.ts";
import { VisibleSelects } from "./entry/visible_selects.ts";
import { errors } from "./errors.ts";
import type { BackgroundStarter } from "./operations/background.ts";
import { preparedFor } from "./operations/prepare_policies.ts";
import type { Registration } from "./registration/registration.ts";
import type { Registrations } from "./registration/registrations.ts";
import { type ResourceUrlOptions, type ResourceUrlSubject, resourcePath } from "./registration/urls.ts";
import type { ResourceRequest } from "./request.ts";
import type { Resources, VisibleBy, VisibleOptions } from "./service_contract.ts";

/** What adds conditions to a query. */
const addTo =
  (query: Query<BaseModel>): AddCondition =>
  (where, block, values = []) =>
    narrow(query, where, (group) => block(group, values));

/** The service as the plugin makes it. */
export class ResourceService implements Resources {
  readonly registry: Registrations;
  readonly database: Database;
  readonly hooks: ResourceHooks;
  readonly selects: VisibleSelects;
  #background: BackgroundStarter | undefined;
  readonly standardController: new (
    request: RequestContext,
  ) => ResourceRequest;
  readonly addActions: Resources["addActions"];
  readonly addResource: Resources["addResource"];
  readonly fieldTypes: Registry<FieldType>;

  constructor(
    registry: Registrations,
    database: Database,
    hooks: ResourceHooks,
    fieldTypes: Registry<FieldType>,
    standardController: new (request: RequestContext) => ResourceRequest,
    { addActions, addResource }: Pick<Resources, "addActions" | "addResource">,
  ) {
    this.addActions = addActions;
    this.addResource = addResource;
    this.standardController = standardController;
    this.fieldTypes = fieldTypes;
    this.registry = registry;
    this.database = database;
    this.selects = new VisibleSelects(database);
    this.hooks = hooks;
  }

  get background(): BackgroundStarter | undefined {
    return this.#background;
  }
  leaveActionsTo(background: BackgroundStarter): void {
    this.#background = background;
  }

  urlFor(subject: ResourceUrlSubject, options?: ResourceUrlOptions): string {
    const { application } = this.registry;
    const { appUrl, env, port } = application.settings;
    if (!appUrl && env === "production") throw errors.FW_RESOURCE_ORIGIN();
    const origin = appUrl?.origin ?? `http://localhost:${port}`;
    const address = resourcePath(this.registry, { application }, subject, options);
    return address.startsWith("/") ? origin + address : address;
  }

  policy(
    controller: BaseController,
    policyClass: PolicyClass,
    record: unknown,
    parent?: unknown,
    parentAssociation?: AssociationInfo,
  ): Policy {
    const { currentUser: user, currentScopedEntity: entityScope } = controller;
    const context = preparedFor(controller, policyClass);
    const given = { user, record, entityScope, parent, parentAssociation, context };
    return this.#observed(new policyClass(given) as Policy, controller);
  }

  policyOn(
    controller: ResourceRequest,
    policyClass: PolicyClass,
    entry: Entry,
    parent?: unknown,
    parentAssociation?: AssociationInfo,
  ): Policy {
    const { currentUser, currentScopedEntity } = controller;
    const context = preparedFor(controller, policyClass);
    const given = new LazyPolicyContext(entry, currentUser, currentScopedEntity, parent, parentAssociation, context);
    return this.#observed(new policyClass(given) as Policy, controller);
  }

  #observed(policy: Policy, controller: BaseController): Policy {
    const { decided } = this.hooks;
    if (decided.taps.length > 0) observePolicy(policy, (decision) => decided.call(decision, controller));
    return policy;
  }

  visible(
    controller: ResourceRequest,
    model: ModelInfo,
    transaction?: Transaction,
    underParent?: ModelInfo,
  ): Query<BaseModel> {
    const query = this.database.query(model.class, transaction);
    this.#narrow(controller, model, addTo(query), underParent);
    return this.narrowLoaded(controller, model, query);
  }

  visibleIn<M extends BaseModel>(controller: BaseController, cls: { new (): M }, transaction?: Transaction): Query<M> {
    return confine(this.database.queryIn(queryPlace(controller), cls, transaction), {
      narrow: (group, target, _table, isRoot) => {
        if (isRoot) this.#narrow(controller as ResourceRequest, target, addTo(group));
      },
      write: async () => undefined,
    });
  }

  /** Passes on everything that narrows a model for the account of this request. */
  #narrow(controller: ResourceRequest, model: ModelInfo, given: AddCondition, underParent?: ModelInfo): void {
    const by = this.hooks.decided.taps.length > 0 ? this.#reported(controller, model, given) : given;
    this.#narrowByPolicy(controller, model, by);
    this.hooks.scope.call(new QueryScope(model, by, underParent), controller);
  }
  #reported(controller: ResourceRequest, { constant }: ModelInfo, add: AddCondition): AddCondition {
    return (by, block, values) => {
      this.hooks.decided.call({ kind: "scope", model: constant, by }, controller);
      add(by, block, values);
    };
  }

  #narrowByPolicy(controller: ResourceRequest, model: ModelInfo, by: AddCondition): void {
    const policy = this.#scopedPolicy(controller, model);
    if (policy) by(`${policy.constructor.name}.relationScope`, (group) => policy.relationScope(group as never));
  }
  /** The policy of a model in this portal, where it leaves records out; called itself, since an instance may have a scope of its own. */
  #scopedPolicy(controller: ResourceRequest, model: ModelInfo): Policy | undefined {
    const policyClass = this.registry.nearest(controller.request.engine?.name, model)?.policyClass;
    const policy = policyClass && this.policy(controller, policyClass, undefined);
    return policy && policy.relationScope !== Policy.prototype.relationScope ? policy : undefined;
  }

  isScoped(controller: ResourceRequest, model: ModelInfo): boolean {
    return this.#scopedPolicy(controller, model) !== undefined;
  }
  isUnscoped(controller: ResourceRequest, model: ModelInfo): boolean {
    let isOpen = true;
    this.#narrow(controller, model, () => {
      isOpen = false;
    });
    return isOpen;
  }
  narrowing(controller: ResourceRequest, model: ModelInfo, names: readonly string[] = []): Narrowing | undefined {
    if (!this.database.canPrepare(model, names)) return undefined;
    return narrowingOf((add) => this.#narrow(controller, model, add));
  }

  narrowLoaded(controller: ResourceRequest, model: ModelInfo, query: Query<BaseModel>): Query<BaseModel> {
    const { scope } = this.hooks;
    for (const { name, kind, target, through } of model.associations.values()) {
      if (kind === "belongsTo" || !(scope.isUsed() || this.#scopedPolicy(controller, target))) continue;
      const parent = through === undefined ? model : undefined;
      query.modifyGraph(name, (related) => {
        const add = addTo(related as never);
        if (through === undefined) this.#narrowByPolicy(controller, target, add);
        else this.#narrowJoined(controller, target, related as never);
        scope.call(new QueryScope(target, add, parent), controller);
      });
    }
    return query;
  }

  /** Where the rows in between are joined, columns without a table's name could be theirs: the policy narrows a query inside. */
  #narrowJoined(controller: ResourceRequest, target: ModelInfo, related: Query<BaseModel>): void {
    if (!this.#scopedPolicy(controller, target)) return;
    const visible = this.database.query(target.class) as Query<BaseModel>;
    this.#narrowByPolicy(controller, target, addTo(visible));
    target.key.whereAmong(related, visible);
  }

  async readVisible(
    controller: ResourceRequest,
    model: ModelInfo,
    { column, value }: VisibleBy,
    { names = [], transaction }: VisibleOptions = {},
  ): Promise<BaseModel | undefined> {
    const isOne = column !== model.primaryKey || !model.key.isComposite;
    const narrowing = isOne ? this.narrowing(controller, model, names) : undefined;
    if (!narrowing)
      return this.database.readFirst(
        whereNamed(this.visible(controller, model, transaction), model, column, value),
        names,
      );
    const prepared = this.selects.by(model, column, narrowing);
    const source = { prepared, values: [...narrowing.values, value], knex: transaction };
    return (await this.database.readPrepared(model, source, names))[0];
  }

  async keyOf(controller: ResourceRequest, model: ModelInfo, id: string): Promise<unknown> {
    const key = model.key.parse(id);
    if (key === undefined) return undefined;
    const narrowing = this.narrowing(controller, model);
    if (narrowing?.name === "") return (await this.database.has(model, key)) ? key : undefined;
    const { column } = model.key;
    if (narrowing && column !== undefined) {
      const [row] = await this.selects.keyBy(model, column, narrowing).rows([...narrowing.values, key]);
      return row && model.key.isExact(row, key) ? (model.key.of(row) ?? undefined) : undefined;
    }
    const query = this.visible(controller, model).select([...model.key.names]);
    const found = await this.database.readFirst(model.key.where(query, key));
    return found && model.key.isExact(found, key) ? ModelInfo.keyOf(found) : undefined;
  }

  async find(
    controller: ResourceRequest,
    model: ModelInfo,
    id: string | undefined,
    transaction?: Transaction,
  ): Promise<BaseModel> {
    const key = model.key.parse(id ?? "");
    if (key === undefined) throw notFound();
    const named = { column: model.primaryKey, value: key };
    const found = await this.readVisible(controller, model, named, {
      names: model.class.labelAssociations,
      transaction,
    });
    if (!found || !model.key.isExact(found, key)) throw notFound();
    await hideReferences(controller, model, [found], model.class.labelAssociations);
    return found;
  }

  async findNamed(
    controller: ResourceRequest,
    registration: Registration,
    parameter = registration.parentParameter,
  ): Promise<BaseModel> {
    const { model, paramKey } = registration;
    const names = model.class.labelAssociations;
    const read = (column: string, value: number | string) =>
      this.readVisible(controller, model, { column, value }, { names });
    const named = { model, paramKey, read, valueOf: valueOfRecord };
    const found = await findNamed(named, controller.request.routeParams[parameter]);
    if (found) await hideReferences(controller, model, [found], model.class.labelAssociations);
    const mayShow = (record: BaseModel) => allows(this.policy(controller, registration.policyClass, record), "show");
    return found ?? findByFormerSlug(controller, { registration, parameter, mayShow, ...named });
  }

  underParent(query: Query<BaseModel>, association: AssociationInfo, parent: BaseModel): void {
    const { target, through, name, model } = association;
    if (through === undefined)
      for (const [column, value] of Object.entries(keysTo(association, parent)))
        query.where(`${target.table}.${column}`, value as number);
    else target.key.whereAmong(query, model.class.relatedQuery(name).for(parent.$id()));
  }

  fields(names: readonly string[], registration: Registration, controller: ResourceRequest): readonly string[] {
    if (this.hooks.fields.taps.length === 0) return names;
    const given = Object.freeze([...names]); // a tap that pushed to the list would permit a field
    const left = this.hooks.fields.call(given, registration, controller);
    return left === given ? names : names.filter((name) => left.includes(name));
  }
}
