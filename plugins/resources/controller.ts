import { type BackLink, BaseController, forbidden, HttpError, notFound, type Reply } from "framewright/host";
import { callHook } from "framewright/kernel";
import {
  type BaseModel,
  controllerQuery,
  type ModelClass,
  type Query,
  type QueryOptions,
} from "framewright/plugins/database";
import type { Transaction } from "objection";
import { type AttributeList, allows, type Policy, predicateOf } from "./definition/policy.ts";
import { defineRecord } from "./entry/current_record.ts";
import type { Entry } from "./entry/entry.ts";
import { findRecord, reloadRecord } from "./entry/find_record.ts";
import { associationsToLoad } from "./entry/hidden_references.ts";
import { loadRelatedLabels } from "./entry/load_labels.ts";
import { findOverrides, type Overrides } from "./entry/read_mode.ts";
import { findEntry } from "./entry/read_page.ts";
import { jsonOfRecord } from "./entry/record_entry.ts";
import { etagOf, versionOf } from "./entry/version.ts";
import { errors } from "./errors.ts";
import { withIgnored } from "./operations/known_keys.ts";
import { alreadyExists, onlyRecord, ownerOf, ownerOfPage } from "./operations/ownership.ts";
import type { RecordWriter } from "./operations/record_writer.ts";
import { runAction, showAction } from "./operations/run_action.ts";
import { destroyRecord, saveRecord } from "./operations/save.ts";
import { answerTypeahead } from "./operations/typeahead.ts";
import { backLinkOf } from "./pages/back_link.ts";
import { leaveForm } from "./pages/beside.ts";
import { renderForm } from "./pages/form_page.ts";
import { answerIndex } from "./pages/index_page.ts";
import { renderInvalid, renderWithSaved, usesSaved } from "./pages/invalid_page.ts";
import { answerPanel } from "./pages/plugin_panels.ts";
import { renderShow } from "./pages/show_page.ts";
import { answerCreated, answerDestroyed, answerSaved, answerUpdated, locationAfter } from "./pages/written_answers.ts";
import type { Registration, ResourceRoute } from "./registration/registration.ts";
import { labelsFor } from "./registration/resource_texts.ts";
import { belowParent, servedBy } from "./registration/served_by.ts";
import { type ResourceUrlOptions, type ResourceUrlSubject, resourcePath } from "./registration/urls.ts";
import type { ResourceRequest } from "./request.ts";
import type { Resources } from "./service_contract.ts";

const RESOURCES = Symbol("resources");
const ABOUT = Symbol("about");
/** What a controller has looked up; by symbols: a private member would distinguish it from a `ResourceRequest`. */
interface Known {
  [RESOURCES]?: Resources;
  [ABOUT]?: ResourceRoute | undefined;
}

/** What plugins add to it, they declare in `ResourceRequest`. */
export interface ResourceController extends ResourceRequest {}

/** Serves a resource as pages and as JSON. Every step is a method of its own, to be overridden where an application differs. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: what plugins declare in ResourceRequest they add to the prototype
export class ResourceController extends BaseController {
  static override viewPath: string | undefined = "resource";
  static override beforeActions: typeof BaseController.beforeActions = ["enterResource"];

  /** The record that the route names, once it was found. */
  declare record: BaseModel | undefined;
  /** The record whose association is looked at, under a nested route. */
  parent: BaseModel | undefined = undefined;
  /** Where a form leads when it was saved: "show", "index", "edit" or "new". */
  preferredActionAfterSubmit: "show" | "index" | "edit" | "new" = "show";

  /** How its record is written; undefined for a transaction of its own. */
  recordWriter: RecordWriter | undefined = undefined;

  get resources(): Resources {
    const known = this as Known;
    known[RESOURCES] ??= this.request.kernel.service("resources");
    return known[RESOURCES];
  }
  /** What the route that is being served is about. */
  get about(): ResourceRoute {
    const known = this as Known;
    known[ABOUT] ??= this.request.route && this.resources.registry.routes.get(this.request.route);
    if (!known[ABOUT]) throw notFound();
    return known[ABOUT];
  }
  get registration(): Registration {
    return this.about.registration;
  }
  /** Which of the methods that are given or return records this class overrides. */
  get overrides(): Overrides {
    return overridesOf(this.constructor);
  }

  /** Finds the parent of a nested route, within what the person may see; before anything else. */
  async enterResource(): Promise<void> {
    const { parent, custom } = this.about;
    this.isEntered = true; // a parent that is missing is answered as a record that is
    if (parent) {
      const { registration } = parent;
      this.parent = registration.singular
        ? await this.singularOf(registration)
        : await this.resources.findNamed(this, registration);
      if (!allows(this.resources.policy(this, registration.policyClass, this.parent), "show")) throw notFound();
    }
    if (custom) await this.enterCustom(custom);
  }
  /** A route of the application's own: its record is found, and authorized, before its action runs. */
  async enterCustom({ placement, action, otherwise }: NonNullable<ResourceRoute["custom"]>): Promise<void> {
    if (placement === "member") this.record = await this.findRecord();
    await this.authorizeAction(action, this.record, otherwise);
  }

  async index(): Promise<Reply> {
    await this.authorizeAction("index");
    return answerIndex(this);
  }
  async show(): Promise<Reply> {
    let entry: Entry;
    try {
      entry = await findEntry(this, this.listOf("Show"));
    } catch (error) {
      return this.withoutRecord(error);
    }
    const { panel_key } = this.request.routeParams; // the same action: what an application requires for the page, it requires for its panels
    if (panel_key !== undefined) return answerPanel(this, entry, panel_key);
    const waits = entry.authorize("show");
    if (waits) await waits;
    if (this.request.format !== "json") return renderShow(this, entry);
    const [{ json }, reply] = [this.resources.hooks, entry.reply()];
    if (json.isUsed()) await json.promise({ controller: this, reply, entries: [entry] });
    return reply;
  }
  /** The page of a singular resource leads people who have no record yet to the form that makes it. */
  withoutRecord(error: unknown): Reply {
    const isAbsent = error instanceof HttpError && error.status === 404;
    const isPage = this.request.format === "html" && this.request.routeParams.panel_key === undefined;
    const asksForOne = this.registration.singular && !this.about.parent && isPage;
    if (!isAbsent || !asksForOne || !ownerOfPage(this) || !allows(this.policyFor(), "new")) throw error;
    return this.redirectTo(this.urlFor(this.registration.model.class, { action: "new" }));
  }
  async new(): Promise<Reply> {
    await this.authorizeAction("new");
    const present = await onlyRecord(this);
    if (present && this.request.format === "html") return this.redirectTo(this.urlFor(present));
    if (present) throw alreadyExists(this, labelsFor(this, this.registration).one);
    return renderForm(this, undefined);
  }
  /** The form of a new record with the values of another. */
  async newDuplicate(): Promise<Reply> {
    return (await import("./pages/duplicate.ts")).newDuplicate(this);
  }
  async create(): Promise<Reply> {
    await this.authorizeAction("create");
    if (await onlyRecord(this)) throw alreadyExists(this, labelsFor(this, this.registration).one);
    const left = leaveForm(this, undefined);
    if (left) return left;
    const saved = await saveRecord(this, undefined);
    return "record" in saved ? this.answerCreated(saved.record) : renderInvalid(this, undefined, saved);
  }
  async edit(): Promise<Reply> {
    this.record = await this.findRecord();
    await this.authorizeAction("edit", this.record);
    if (this.about.answer) return this.about.answer(this, this.record); // the same action: what an application checks for the form, it checks for a part
    return renderForm(this, this.record);
  }
  async update(): Promise<Reply> {
    this.record = await this.findRecord();
    await this.authorizeAction("update", this.record);
    if (this.about.answer) return this.about.answer(this, this.record);
    if (usesSaved(this)) return renderWithSaved(this, this.record);
    const left = leaveForm(this, this.record);
    if (left) return left;
    const saved = await saveRecord(this, this.record);
    return "record" in saved ? this.answerUpdated(saved.record) : renderInvalid(this, this.record, saved);
  }
  async destroy(): Promise<Reply> {
    this.record = await this.findRecord();
    await this.authorizeAction("destroy", this.record);
    const problem = await destroyRecord(this, this.record);
    if (problem === undefined) return this.answerDestroyed();
    if (this.request.format === "json") throw new HttpError(409, "FW_IN_USE", problem);
    this.flash.add("error", problem);
    return this.redirectTo(this.urlFor(this.record));
  }
  /** The choices of an association's input, searched while typing. */
  typeahead(): Promise<Reply> {
    return answerTypeahead(this);
  }
  recordAction(): Promise<Reply> {
    return showAction(this, "record");
  }
  runRecordAction(): Promise<Reply> {
    return runAction(this, "record");
  }
  collectionAction(): Promise<Reply> {
    return showAction(this, "collection");
  }
  runCollectionAction(): Promise<Reply> {
    return runAction(this, "collection");
  }

  /** A query of a model. In a scoped portal it stays within the tenant; policies narrow nothing. */
  query<T extends BaseModel>(model: { new (): T }, options?: QueryOptions): Query<T> {
    return controllerQuery(this, model, options);
  }
  /** A query of a model, of all tenants. */
  unscopedQuery<T extends BaseModel>(model: { new (): T }): Query<T> {
    return this.resources.database.query(model);
  }
  /** The policy of this resource, for a record or for the class as a whole. */
  policyFor(record?: BaseModel): Policy {
    const { registration, parent } = this.about;
    return this.resources.policy(this, registration.policyClass, record, this.parent, parent?.association);
  }
  /** @throws HttpError 403 when the policy denies it; `otherwise` counts where the policy has no such predicate */
  async authorizeAction(action: string, record?: BaseModel, otherwise?: string): Promise<void> {
    const policy = this.policyFor(record);
    const asked = otherwise !== undefined && !this.policyKnows(policy, action) ? otherwise : action;
    const reads = otherwise !== undefined && this.request.route?.verb === "GET";
    if (!allows(policy, asked, reads)) throw forbidden();
    const waits = callHook(this.resources.hooks.authorize, action, this);
    if (waits) await waits;
  }
  policyKnows(policy: Policy, action: string): boolean {
    return typeof (policy as unknown as Record<string, unknown>)[predicateOf(action)] === "function";
  }

  /** The attributes that the policy permits, without those that plugins hide. */
  listOf(list: AttributeList, record?: BaseModel): readonly string[] {
    const { registration } = this;
    return this.resources.fields(registration.permitted(this.policyFor(record), list), registration, this);
  }
  /** All records of this resource that the person may see, below the parent of a nested route. */
  visibleRecords(transaction?: Transaction): Query<BaseModel> {
    const { registration, parent } = this.about;
    const direct = this.parent && parent?.association.through === undefined ? parent?.registration.model : undefined;
    const query = this.resources.visible(this, registration.model, transaction, direct);
    if (parent && this.parent) this.resources.underParent(query, parent.association, this.parent);
    return query;
  }
  /** The record that the route names, with what `names` shows of its associations. @throws HttpError 404 */
  findRecord(names: readonly string[] = [], transaction?: Transaction): Promise<BaseModel> {
    return findRecord(this, names, transaction);
  }
  /** The record, with what the labels of its related records need. @throws HttpError 404 */
  async labelled(record: BaseModel | undefined, names: readonly string[]): Promise<BaseModel> {
    const found = this.found(record);
    await loadRelatedLabels(this, [found], this.registration.model, names);
    return found;
  }
  found(record: BaseModel | undefined): BaseModel {
    if (!record) throw notFound();
    return record;
  }
  /** The one record of a singular resource: `currentUser.<name>`, else the only one in sight. @throws FW_SINGULAR_SEVERAL */
  async singularRecord(query: Query<BaseModel>): Promise<BaseModel> {
    return this.onlyOne(query, this.registration);
  }
  async singularOf(registration: Registration): Promise<BaseModel> {
    return this.onlyOne(this.resources.visible(this, registration.model), registration);
  }
  async onlyOne(query: Query<BaseModel>, { model }: Registration): Promise<BaseModel> {
    const owner = ownerOf(this, model, this.resources.database);
    if (owner) query.where(`${model.table}.${owner.column}`, owner.id);
    const [first, second] = await query.limit(2);
    if (second) throw errors.FW_SINGULAR_SEVERAL(model.constant);
    return this.found(first);
  }
  /** What has to be loaded with the records, so that no page queries again for each row. */
  loadedFor(names: readonly string[]): readonly string[] {
    const { model } = this.registration;
    const { class: cls } = model;
    const shown = this.registration.plan("associations", names, (kept) => associationsToLoad(this, kept));
    return cls.labelAssociations.length === 0 ? shown : [...new Set([...shown, ...cls.labelAssociations])];
  }
  /** As `loadedFor`, as a graph expression of objection. */
  graphOf(names: readonly string[]): string | undefined {
    const loaded = this.loadedFor(names).filter((name) => this.registration.model.associations.has(name));
    return loaded.length > 0 ? `[${loaded.join(", ")}]` : undefined;
  }

  /** The path of a record, a class or an action in this portal, or another. */
  override resourceUrlFor(subject: ResourceUrlSubject, options?: ResourceUrlOptions): string {
    return resourcePath(this.resources.registry, this.request, subject, options);
  }
  /** As resourceUrlFor, below the parent of a nested route. */
  urlFor(subject: BaseModel | ModelClass, options: ResourceUrlOptions = {}): string {
    const nested = this.parent ? belowParent(this.parent, this.about.parent!.association) : {};
    return this.resourceUrlFor(subject, { ...nested, ...servedBy(this.about, subject), ...options });
  }
  /** The list; of a singular resource, its page. */
  get listUrl(): string {
    return this.urlFor(this.registration.model.class);
  }

  override backLink(): BackLink | undefined {
    return backLinkOf(this);
  }

  /** A record as JSON: its id, and what the policy permits reading. */
  recordJson(record: BaseModel, names: readonly string[] = this.listOf("Show", record)): Record<string, unknown> {
    return jsonOfRecord(this, record, this.registration.jsonPlan(names));
  }
  answerRecord(record: BaseModel, status = 200): Reply {
    const reply = withIgnored(this, this.recordJson(record), (body) => this.json(body, { status }));
    reply.headers.etag = etagOf(versionOf(record, this.registration.model));
    return reply;
  }
  answerCreated(record: BaseModel): Promise<Reply> {
    return answerCreated(this, record);
  }
  answerUpdated(record: BaseModel): Promise<Reply> {
    return answerUpdated(this, record);
  }
  /** A record that its own relationScope leaves out is saved all the same, and the person is led to a page that they can open. */
  answerSaved(text: string, record: BaseModel, isSeen: boolean): Reply {
    return answerSaved(this, text, record, isSeen);
  }
  answerDestroyed(): Reply {
    return answerDestroyed(this);
  }
  /** The record as it is stored now, with its associations. */
  reload(record: BaseModel): Promise<BaseModel> {
    return reloadRecord(this, record);
  }
  /** Where a saved form leads: to `return_to`, else to what is preferred, as far as the policy allows it. */
  locationAfter(record: BaseModel): string {
    return locationAfter(this, record);
  }
  returnTo(): string | undefined {
    return this.request.safeLocation(this.params.get("return_to"));
  }
}

defineRecord(ResourceController.prototype);

/** What a class of controllers overrides of the methods that are given or return records. */
export const overridesOf = (controller: Function): Overrides => findOverrides(controller, ResourceController.prototype);

/**
 * The resource that the page of a controller is about; undefined on other pages of a portal, whose controllers may extend that of
 * a resource as well: `resourceOf(controller)?.model`.
 */
export function resourceOf(controller: BaseController): Registration | undefined {
  const { request } = controller;
  if (!request.route || !request.kernel.has("resources")) return undefined;
  return request.kernel.service("resources").registry.routes.get(request.route)?.registration;
}
