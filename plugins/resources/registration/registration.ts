import {
  BaseController,
  type ControllerRef,
  demodulize,
  type Engine,
  humanize,
  paramKey,
  pluralize,
  type Reply,
  routePath,
  singularize,
  underscore,
} from "framewright/host";
import { describe } from "framewright/kernel";
import type { AssociationInfo, BaseModel, ModelInfo } from "framewright/plugins/database";
import type { FieldTypeTable } from "framewright/plugins/fields";
import { type Attribute, attributeOf } from "../definition/attributes.ts";
import type { ResourceDefinition } from "../definition/definition.ts";
import { type AttributeList, type Policy, type PolicyClass, reportNames } from "../definition/policy.ts";
import { AttributePlans } from "../entry/attribute_plans.ts";
import type { JsonPlan } from "../entry/entry.ts";
import { errors } from "../errors.ts";
import type { ResourceRequest } from "../request.ts";

/** Options of `registerResource`. */
export interface RegisterOptions {
  /** Only these associations get nested routes; `[]` draws none. */
  associations?: readonly string[];
  /** Singleton routes: no id, no list. */
  singular?: boolean;
  /** What it is called in its path, its route names and its forms: `articles`, or `profile` when singular; by default as its class. */
  as?: string;
  /** What people call one of its records, as in `Member`; by default from the class. */
  label?: string;
}

interface RegistrationParts {
  owner: string | undefined;
  model: ModelInfo;
  options: RegisterOptions;
  policyClass: PolicyClass;
  definition: ResourceDefinition;
  controller: ControllerRef;
  /** The constant of the tenant's model, in a scoped portal. */
  tenant: string | undefined;
  types: FieldTypeTable;
}

/** Whether a model's slugs name one record here: where they are unique in a tenant alone, the portal serves that tenant. */
const isNamedWithin = (model: ModelInfo, tenant: string | undefined): boolean =>
  model.slugScope.every((column) =>
    model.referencesBy(column).some(({ key, target }) => !key.isComposite && target.constant === tenant),
  );

/** A model as a portal (or the main application) serves it: its classes, its names, and all that is cached of it. */
export class Registration {
  /** The engine's name; undefined for the main application. */
  readonly owner: string | undefined;
  readonly model: ModelInfo;
  readonly options: RegisterOptions;
  readonly policyClass: PolicyClass;
  readonly definition: ResourceDefinition;
  readonly controller: ControllerRef;
  readonly singular: boolean;
  /** The form key: `blogging_post`. */
  readonly key: string;
  /** Below the mount: `blogging/posts`, or `profile` when singular. */
  readonly path: string;
  /** The parameter that names a record of this resource in nested paths: `post_id`. */
  readonly parentParameter: string;
  /** The names of the routes: `blogging_posts`, `blogging_post`. */
  readonly names: { many: string; one: string };
  /** Custom routes by action: whether they were given a name. */
  readonly customRoutes = new Map<string, string | undefined>();
  /** What people call its records: `Post` and `Posts`; `labelsFor` has them in the language of a request. */
  readonly labels: { one: string; many: string };
  /** The column by which its addresses name a record. */
  readonly paramKey: string;
  /** The types of fields. */
  readonly types: FieldTypeTable;
  /** The constant of the tenant's model, in a scoped portal. */
  readonly tenant: string | undefined;
  readonly #plans = new AttributePlans();
  readonly #once = new Map<string, unknown>();
  /** What contains texts, by locale. */
  readonly #localized = new Map<string, { plans: AttributePlans; once: Map<string, unknown> }>();
  readonly #attributes = new Map<string, Attribute>();

  constructor(parts: RegistrationParts) {
    const { owner, model, options, policyClass, definition, controller, tenant, types } = parts;
    this.owner = owner;
    this.tenant = tenant;
    this.model = model;
    this.options = options;
    this.policyClass = policyClass;
    this.definition = definition;
    this.controller = controller;
    this.types = types;
    this.singular = options.singular === true;
    this.paramKey = isNamedWithin(model, tenant) ? model.paramKey : model.primaryKey;
    const own = options.as && (this.singular ? options.as : singularize(options.as));
    this.key = own ?? paramKey(model.constant);
    this.path = options.as ?? (this.singular ? underscore(model.constant) : routePath(model.constant));
    this.parentParameter = `${own ?? underscore(demodulize(model.constant))}_id`;
    const many = this.path.replaceAll("/", "_");
    this.names = { many: many === this.key && !this.singular ? `${many}_index` : many, one: this.key };
    const name = own ?? underscore(demodulize(model.constant));
    const one = options.label ?? humanize(name);
    this.labels = { one, many: options.label === undefined ? humanize(pluralize(name)) : pluralize(one) };
  }

  get constant(): string {
    return this.model.constant;
  }
  /** What identifies a record in its addresses: its id, where the column of its own is empty. */
  paramOf(record: BaseModel): unknown {
    const own = this.paramKey === this.model.primaryKey ? undefined : this.paramKey;
    return (own === undefined ? undefined : (record as unknown as Record<string, unknown>)[own]) ?? record.toParam();
  }
  attribute(name: string): Attribute {
    let attribute = this.#attributes.get(name);
    if (!attribute) {
      const { model, definition, policyClass, types } = this;
      attribute = attributeOf(name, { model, definition, policy: policyClass.name, types });
      this.#attributes.set(name, attribute);
    }
    return attribute;
  }
  /** What is known of this resource, computed on first use. It must not depend on the request. */
  once<T>(key: string, find: () => T): T {
    return foundIn(this.#once, key, find);
  }
  /** As `once`, for what contains texts: found for each language. */
  onceWithTexts<T>(controller: BaseController, key: string, find: () => T): T {
    return hasOwnTexts(controller) ? find() : foundIn(this.#in(controller.request.locale).once, key, find);
  }
  /** What is compiled of a list of names. It must not depend on the request. */
  plan<T>(kind: string, names: readonly string[], compile: (names: readonly string[]) => T): T {
    return this.#plans.for(kind, names, compile);
  }
  /** As `plan`, for what contains texts: compiled for each language. */
  planWithTexts<T>(
    controller: BaseController,
    kind: string,
    names: readonly string[],
    compile: (names: readonly string[]) => T,
  ): T {
    return hasOwnTexts(controller)
      ? compile(names)
      : this.#in(controller.request.locale).plans.for(kind, names, compile);
  }
  #in(locale: string) {
    let own = this.#localized.get(locale);
    if (!own) {
      own = { plans: new AttributePlans(), once: new Map() };
      this.#localized.set(locale, own);
    }
    return own;
  }
  jsonPlan(names: readonly string[]): JsonPlan {
    return this.#plans.for("json", names, (kept) => {
      const shown = kept.filter((name) => name !== "id" || this.model.isKey("id") || this.model.key.isMissing); // "id" is the key
      return { names: shown, attributes: shown.map((name) => this.attribute(name)) };
    });
  }
  /** The columns, associations and money that a policy permits right now. @throws FW_POLICY_SHAPE */
  permitted(policy: Policy, list: AttributeList): readonly string[] {
    const method = `permittedAttributesFor${list}` as const;
    const names = policy[method]() as readonly string[];
    if (!Array.isArray(names)) throw errors.FW_POLICY_SHAPE(this.policyClass.name, method, describe(names));
    reportNames(policy, method, names);
    return names;
  }
}

/**
 * Whether a controller's texts may differ between requests of one language: it overrides `t`. Without that what holds texts
 * is cached for each language.
 */
const hasOwnTexts = (controller: BaseController): boolean => controller.t !== BaseController.prototype.t;

function foundIn<T>(known: Map<string, unknown>, key: string, find: () => T): T {
  let found = known.get(key) as T | undefined;
  if (found === undefined) {
    found = find();
    known.set(key, found);
  }
  return found;
}

/** Answers a request to a part of a record. */
export type RecordAnswer = (controller: ResourceRequest, record: BaseModel) => Reply | Promise<Reply>;

/** What a drawn route of a resource is about. */
export interface ResourceRoute {
  registration: Registration;
  parent?: { registration: Registration; association: AssociationInfo };
  /** A route of the application's own: which predicate is called, and which one where the policy does not have it. */
  custom?: { placement: "member" | "collection"; action: string; otherwise: string };
  /** What answers in place of the form or the save of a record, once the record is found and its action is authorized. */
  answer?: RecordAnswer;
}
/** Whether there is one record at most, and no list: a singular resource, or a has-one below its parent. */
export const isSingle = ({ registration, parent }: ResourceRoute): boolean =>
  parent ? parent.association.kind === "hasOne" : registration.singular;

/** Whether a record here can be the pattern of a new one: where there are several, and no record in between to create as well. */
export const hasDuplicates = (about: ResourceRoute): boolean =>
  !isSingle(about) && about.parent?.association.through === undefined;

/** The names of nested routes: `blogging_post_nested_comments`, `blogging_post_nested_comment`. */
export function nestedNames(parent: Registration, association: AssociationInfo): { many: string; one: string } {
  const name = `${parent.names.one}_nested_${association.name}`;
  if (association.kind === "hasOne") return { many: name, one: name };
  const one = `${parent.names.one}_nested_${singularize(association.name)}`;
  return { many: name === one ? `${name}_index` : name, one };
}

export const ownerLabel = (engine: Engine | string | undefined): string =>
  engine === undefined ? "the main application" : typeof engine === "string" ? engine : engine.name;
