import type { BackLink, BaseController, Reply } from "framewright/host";
import type { BaseModel, ModelClass, Query, QueryOptions } from "framewright/plugins/database";
import type { Transaction } from "objection";
import type { AttributeList, Policy } from "./definition/policy.ts";
import type { Overrides } from "./entry/read_mode.ts";
import type { RecordWriter } from "./operations/record_writer.ts";
import type { Registration, ResourceRoute } from "./registration/registration.ts";
import type { ResourceUrlOptions, ResourceUrlSubject } from "./registration/urls.ts";
import type { Resources } from "./service_contract.ts";

/**
 * A request to a resource, as what answers it sees it: the record and its parent, the policy, queries and addresses. Plugins that
 * add actions declare them here, and controllers of resources have them.
 */
export interface ResourceRequest extends BaseController {
  /** The record that the route names, once it was found. */
  record: BaseModel | undefined;
  /** The record whose association is looked at, under a nested route. */
  parent: BaseModel | undefined;
  /** Where a form leads when it was saved: "show", "index", "edit" or "new". */
  preferredActionAfterSubmit: "show" | "index" | "edit" | "new";
  /** How its record is written; undefined for a transaction of its own. */
  recordWriter: RecordWriter | undefined;
  readonly resources: Resources;
  /** What the route that is being served is about. */
  readonly about: ResourceRoute;
  readonly registration: Registration;
  /** Which of the methods that are given or return records this class overrides. */
  readonly overrides: Overrides;
  /** Finds the parent of a nested route, within what the person may see; before anything else. */
  enterResource(): Promise<void>;
  /** A route of the application's own: its record is found, and authorized, before its action runs. */
  enterCustom(custom: NonNullable<ResourceRoute["custom"]>): Promise<void>;
  index(): Promise<Reply>;
  show(): Promise<Reply>;
  /** The page of a singular resource leads people who have no record yet to the form that makes it. */
  withoutRecord(error: unknown): Reply;
  "new"(): Promise<Reply>;
  /** The form of a new record with the values of another. */
  newDuplicate(): Promise<Reply>;
  create(): Promise<Reply>;
  edit(): Promise<Reply>;
  update(): Promise<Reply>;
  destroy(): Promise<Reply>;
  /** The choices of an association's input, searched while typing. */
  typeahead(): Promise<Reply>;
  recordAction(): Promise<Reply>;
  runRecordAction(): Promise<Reply>;
  collectionAction(): Promise<Reply>;
  runCollectionAction(): Promise<Reply>;
  /** A query of a model. In a scoped portal it stays within the tenant; policies narrow nothing. */
  query<T extends BaseModel>(model: { new (): T }, options?: QueryOptions): Query<T>;
  /** A query of a model, of all tenants. */
  unscopedQuery<T extends BaseModel>(model: { new (): T }): Query<T>;
  /** The policy of this resource, for a record or for the class as a whole. */
  policyFor(record?: BaseModel): Policy;
  /** @throws HttpError 403 when the policy denies it; `otherwise` counts where the policy has no such predicate */
  authorizeAction(action: string, record?: BaseModel, otherwise?: string): Promise<void>;
  policyKnows(policy: Policy, action: string): boolean;
  /** The attributes that the policy permits, without those that plugins hide. */
  listOf(list: AttributeList, record?: BaseModel): readonly string[];
  /** All records of this resource that the person may see, below the parent of a nested route. */
  visibleRecords(transaction?: Transaction): Query<BaseModel>;
  /** The record that the route names, with what `names` shows of its associations. @throws HttpError 404 */
  findRecord(names?: readonly string[], transaction?: Transaction): Promise<BaseModel>;
  /** The record, with what the labels of its related records need. @throws HttpError 404 */
  labelled(record: BaseModel | undefined, names: readonly string[]): Promise<BaseModel>;
  found(record: BaseModel | undefined): BaseModel;
  /** The one record of a singular resource: `currentUser.<name>`, else the only one in sight. @throws FW_SINGULAR_SEVERAL */
  singularRecord(query: Query<BaseModel>): Promise<BaseModel>;
  singularOf(registration: Registration): Promise<BaseModel>;
  onlyOne(query: Query<BaseModel>, registration: Registration): Promise<BaseModel>;
  /** What has to be loaded with the records, so that no page queries again for each row. */
  loadedFor(names: readonly string[]): readonly string[];
  /** As `loadedFor`, as a graph expression of objection. */
  graphOf(names: readonly string[]): string | undefined;
  /** The path of a record, a class or an action in this portal, or another. */
  resourceUrlFor(subject: ResourceUrlSubject, options?: ResourceUrlOptions): string;
  /** As resourceUrlFor, below the parent of a nested route. */
  urlFor(subject: BaseModel | ModelClass, options?: ResourceUrlOptions): string;
  /** The list; of a singular resource, its page. */
  readonly listUrl: string;
  backLink(): BackLink | undefined;
  /** A record as JSON: its id, and what the policy permits reading. */
  recordJson(record: BaseModel, names?: readonly string[]): Record<string, unknown>;
  answerRecord(record: BaseModel, status?: number): Reply;
  answerCreated(record: BaseModel): Promise<Reply>;
  answerUpdated(record: BaseModel): Promise<Reply>;
  /** A record that its own relationScope leaves out is saved all the same, and the person is led to a page that they can open. */
  answerSaved(text: string, record: BaseModel, isSeen: boolean): Reply;
  answerDestroyed(): Reply;
  /** The record as it is stored now, with its associations. */
  reload(record: BaseModel): Promise<BaseModel>;
  /** Where a saved form leads: to `return_to`, else to what is preferred, as far as the policy allows it. */
  locationAfter(record: BaseModel): string;
  returnTo(): string | undefined;
}
