import type { AssociationInfo, BaseModel, KeyValue, ModelInfo } from "framewright/plugins/database";
import type { Attribute } from "../definition/attributes.ts";
import { allows, type Policy } from "../definition/policy.ts";
import type { Registration } from "../registration/registration.ts";
import { belowParent } from "../registration/served_by.ts";
import type { ResourceUrlOptions } from "../registration/urls.ts";
import type { ResourceRequest } from "../request.ts";
import type { Entry } from "./entry.ts";
import { scopedReference } from "./hidden_references.ts";
import { labelOf } from "./labels.ts";

/**
 * Where entries of one model are shown: on the pages of their own resource, in a panel below a parent, or as what
 * others belong to. Decides their policy and builds their addresses.
 */
export class Place {
  readonly controller: ResourceRequest;
  readonly model: ModelInfo;
  /** Undefined where the portal does not serve the model. */
  readonly registration: Registration | undefined;
  readonly #parent: BaseModel | undefined;
  readonly #association: AssociationInfo | undefined;
  /** The column by which addresses name an entry; undefined for its id. */
  readonly #paramKey: string | undefined;
  #base: string | undefined;
  #hasOwnUrls: boolean | undefined;

  constructor(
    controller: ResourceRequest,
    model: ModelInfo,
    registration: Registration | undefined,
    parent?: BaseModel,
    association?: AssociationInfo,
  ) {
    this.controller = controller;
    this.model = model;
    this.registration = registration;
    this.#paramKey = registration && registration.paramKey !== model.primaryKey ? registration.paramKey : undefined;
    this.#parent = parent;
    this.#association = association;
  }

  /** What people call a record, as far as the person may read it. */
  label(record: BaseModel): string {
    return labelOf(this.controller, record);
  }
  /** Whether an attribute leads to a record that the person may not see: its key is stored, and nothing was read by it. */
  isHidden(entry: Entry, attribute: Attribute): boolean {
    const reference = scopedReference(this.controller, this.model, attribute);
    if (!reference) return false;
    const isSet = reference.columns.every((column) => (entry.column(column) ?? null) !== null);
    return isSet && entry.related(reference.name) === null;
  }
  /** The place of what entries of this place belong to. */
  relatedTo(model: ModelInfo): Place {
    const { resources, request } = this.controller;
    return new Place(this.controller, model, resources.registry.nearest(request.engine?.name, model));
  }

  policy(entry: Entry): Policy {
    const { controller } = this;
    const { policyClass } = this.registration!;
    return controller.resources.policyOn(controller, policyClass, entry, this.#parent, this.#association);
  }

  /** The address of an entry. `resourceUrlFor` builds it; unless a controller overrides that, once for all entries. */
  url(entry: Entry): string {
    this.#hasOwnUrls ??= this.controller.overrides.methods.has("resourceUrlFor");
    if (this.#hasOwnUrls) return this.controller.resourceUrlFor(entry.record, this.#urlOptions);
    this.#base ??= this.controller.resourceUrlFor(this.model.class, this.#urlOptions);
    if (this.#isSingle || this.model.key.isMissing) return this.#base;
    const own = this.#paramKey === undefined ? undefined : entry.column(this.#paramKey);
    const param = own ?? this.model.key.param(entry.id as KeyValue);
    return `${this.#base}/${segmentOf(param)}`;
  }

  link(entry: Entry): string | undefined {
    const { registration } = this;
    if (!registration || registration.singular || !allows(this.policy(entry), "show")) return undefined;
    return this.url(entry);
  }

  get #isSingle(): boolean {
    return this.#association ? this.#association.kind === "hasOne" : this.registration!.singular;
  }
  get #urlOptions(): ResourceUrlOptions {
    return this.#parent ? belowParent(this.#parent, this.#association!) : {};
  }
}

const segmentOf = (id: unknown): string | number => (typeof id === "number" ? id : encodeURIComponent(String(id)));

/** The pages of a controller's own resource, for entries that are rows. */
export const pageOf = (controller: ResourceRequest): Place => {
  const { registration, parent } = controller.about;
  return new Place(controller, registration.model, registration, controller.parent, parent?.association);
};
