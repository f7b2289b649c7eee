import type { BaseController, RequestContext } from "framewright/host";
import type { Registry } from "framewright/kernel";
import type { AssociationInfo, BaseModel, Database, ModelInfo, Query } from "framewright/plugins/database";
import type { FieldType } from "framewright/plugins/fields";
import type { Transaction } from "objection";
import type { ResourceHooks } from "./contract.ts";
import type { Policy, PolicyClass } from "./definition/policy.ts";
import type { Narrowing } from "./definition/query_scope.ts";
import type { Entry } from "./entry/entry.ts";
import type { VisibleSelects } from "./entry/visible_selects.ts";
import type { BackgroundStarter } from "./operations/background.ts";
import type { PluginResource } from "./registration/plugin_resource.ts";
import type { Registration } from "./registration/registration.ts";
import type { Registrations } from "./registration/registrations.ts";
import type { ResourceUrlOptions, ResourceUrlSubject } from "./registration/urls.ts";
import type { ResourceRequest } from "./request.ts";

/** What names a record: the value of a column. */
export interface VisibleBy {
  readonly column: string;
  readonly value: number | string;
}
export interface VisibleOptions {
  /** The associations that are read with the record. */
  readonly names?: readonly string[];
  readonly transaction?: Transaction | undefined;
}

/** The service of the slot "resources": the registered resources, and queries that see what a person may see. */
export interface Resources {
  readonly registry: Registrations;
  readonly database: Database;
  readonly hooks: ResourceHooks;
  /** The class of controllers as the framework has it, for lists on the page of another controller. */
  readonly standardController: new (
    request: RequestContext,
  ) => ResourceRequest;
  /**
   * The types of fields, by name: what an input, a cell, a filter, JSON and a step of a wizard make of `as: "colour"`.
   * `fieldTypes.add("colour", defineFieldType<string>({ … }))`
   */
  readonly fieldTypes: Registry<FieldType>;
  /** What actions are left to that run in the background; undefined where no plugin runs them. */
  readonly background: BackgroundStarter | undefined;
  /**
   * Adds actions to all controllers of resources, which applications may override, in a plugin's `apply`. Their types are declared
   * beside: `declare module "framewright/plugins/resources" { interface ResourceRequest { archive(): Promise<Reply> } }`.
   * @throws FW_REGISTRY_TAKEN
   */
  addActions(actions: Readonly<Record<string, (controller: ResourceRequest) => unknown>>): void;
  /** Adds a resource of a plugin, in its `apply`; portals serve it by `routes.registerResource(resource)`. @throws FW_REGISTRY_TAKEN */
  addResource(resource: PluginResource): void;
  /** Leaves actions in the background to a plugin, in its `apply`. */
  leaveActionsTo(background: BackgroundStarter): void;
  /**
   * The address of a record, a list or an action with its origin, where there is no request: in jobs and mails.
   * `resources.urlFor(post, { portal: "AdminPortal", action: "publish" })`; `entity` names the tenant of a scoped portal.
   * @throws FW_RESOURCE_ORIGIN in production without APP_URL, FW_RESOURCE_UNREGISTERED, FW_RESOURCE_ACTION_URL, FW_ROUTE_ARGUMENT
   */
  urlFor(subject: ResourceUrlSubject, options?: ResourceUrlOptions): string;
  /** The policy of a class for the account and the tenant of a request, in any controller: `allows(resources.policy(…), "audit")`. */
  policy(
    controller: BaseController,
    policyClass: PolicyClass,
    record: unknown,
    parent?: unknown,
    parentAssociation?: AssociationInfo,
  ): Policy;
  /** As `policy`, for an entry: of a row the model is instantiated when the policy reads `record`. */
  policyOn(
    controller: ResourceRequest,
    policyClass: PolicyClass,
    entry: Entry,
    parent?: unknown,
    parentAssociation?: AssociationInfo,
  ): Policy;
  /**
   * A query of a model that the person of this request may see: the policy's relationScope, then what plugins narrow,
   * each in a group of its own.
   */
  visible(
    controller: ResourceRequest,
    model: ModelInfo,
    transaction?: Transaction,
    underParent?: ModelInfo,
  ): Query<BaseModel>;
  /**
   * A query for an application's own code: what `visible` finds, and nothing else, whatever is called on it later. As in
   * every query that is handed out, records that are loaded along stay within the tenant.
   */
  visibleIn<M extends BaseModel>(controller: BaseController, cls: { new (): M }, transaction?: Transaction): Query<M>;
  /** Whether the policy that a model has in this portal leaves records out. */
  isScoped(controller: ResourceRequest, model: ModelInfo): boolean;
  /** Whether nothing narrows a model for the person of this request. */
  isUnscoped(controller: ResourceRequest, model: ModelInfo): boolean;
  /**
   * What narrows a model for the person of this request, where its queries may be built once for all; undefined where they may not.
   * `names`: the associations that are read with its records.
   */
  narrowing(controller: ResourceRequest, model: ModelInfo, names?: readonly string[]): Narrowing | undefined;
  /** Selects of records within a narrowing, built once each. */
  readonly selects: VisibleSelects;
  /** The first record with a value of a column that `visible` finds, with the associations that are named. */
  readVisible(
    controller: ResourceRequest,
    model: ModelInfo,
    by: VisibleBy,
    options?: VisibleOptions,
  ): Promise<BaseModel | undefined>;
  /** The records of has-many and has-one associations that are loaded along are those that the person may see. */
  narrowLoaded(controller: ResourceRequest, model: ModelInfo, query: Query<BaseModel>): Query<BaseModel>;
  /** The key of a record with the id that was sent, when there is one within what is visible. */
  keyOf(controller: ResourceRequest, model: ModelInfo, id: string): Promise<unknown>;
  /** The record with an id, within what is visible. @throws HttpError 404 */
  find(
    controller: ResourceRequest,
    model: ModelInfo,
    id: string | undefined,
    transaction?: Transaction,
  ): Promise<BaseModel>;
  /** As `find`, by what the request's path names the record by, as a parent unless another parameter is named. @throws HttpError 404 */
  findNamed(controller: ResourceRequest, registration: Registration, parameter?: string): Promise<BaseModel>;
  /** Narrows to the records of a parent's association. */
  underParent(query: Query<BaseModel>, association: AssociationInfo, parent: BaseModel): void;
  /** The names of a list without those that plugins remove; they can't add any. */
  fields(names: readonly string[], registration: Registration, controller: ResourceRequest): readonly string[];
}
