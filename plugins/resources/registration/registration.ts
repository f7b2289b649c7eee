import {
  type ControllerRef,
  demodulize,
  type Engine,
  paramKey,
  routePath,
  singularize,
  underscore,
} from "framewright/host";
import { describe } from "framewright/kernel";
import type { AssociationInfo, ModelInfo } from "framewright/plugins/database";
import { type Attribute, attributeOf } from "../definition/attributes.ts";
import type { ResourceDefinition } from "../definition/definition.ts";
import type { AttributeList, Policy, PolicyClass } from "../definition/policy.ts";
import { Plans } from "../entry/attribute_plans.ts";
import { errors } from "../errors.ts";

export interface RegisterOptions {
  /** Only these associations get nested routes; `[]` draws none. */
  associations?: readonly string[];
  /** Singleton routes: no id, no list. */
  singular?: boolean;
}

interface Parts {
  owner: string | undefined;
  model: ModelInfo;
  options: RegisterOptions;
  policyClass: PolicyClass;
  definition: ResourceDefinition;
  controller: ControllerRef;
}

/** A model as a portal (or the main application) serves it: its classes, its names, and what is compiled of its lists. */
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
  /** The names of the routes: `blogging_posts`, `blogging_post`. */
  readonly names: { many: string; one: string };
  /** Custom routes by action: whether they were given a name. */
  readonly customRoutes = new Map<string, string | undefined>();
  readonly plans = new Plans();
  readonly #attributes = new Map<string, Attribute>();

  constructor({ owner, model, options, policyClass, definition, controller }: Parts) {
    this.owner = owner;
    this.model = model;
    this.options = options;
    this.policyClass = policyClass;
    this.definition = definition;
    this.controller = controller;
    this.singular = options.singular === true;
    this.key = paramKey(model.constant);
    this.path = this.singular ? underscore(model.constant) : routePath(model.constant);
    const many = this.path.replaceAll("/", "_");
    this.names = { many: many === this.key && !this.singular ? `${many}_index` : many, one: this.key };
  }

  get constant(): string {
    return this.model.constant;
  }
  /** The parameter that names a record of this resource in nested paths: `post_id`. */
  get parentParameter(): string {
    return `${underscore(demodulize(this.constant))}_id`;
  }
  attribute(name: string): Attribute {
    let attribute = this.#attributes.get(name);
    if (!attribute) {
      attribute = attributeOf(name, this.model, this.definition, this.policyClass.name);
      this.#attributes.set(name, attribute);
    }
    return attribute;
  }
  /** The columns, associations and money that a policy permits right now. @throws FW_POLICY_SHAPE */
  permitted(policy: Policy, list: AttributeList): readonly string[] {
    const method = `permittedAttributesFor${list}` as const;
    const names = policy[method]() as readonly string[];
    if (!Array.isArray(names)) throw errors.FW_POLICY_SHAPE(this.policyClass.name, method, describe(names));
    return names;
  }
}

/** What a drawn route of a resource is about. */
export interface ResourceRoute {
  registration: Registration;
  parent?: { registration: Registration; association: AssociationInfo };
  /** A route of the application's own: which predicate is asked, and which one where the policy has no such. */
  custom?: { placement: "member" | "collection"; action: string; otherwise: string };
}
/** Whether there is one record at most, and no list: a singular resource, or a has-one below its parent. */
export const isSingle = ({ registration, parent }: ResourceRoute): boolean =>
  parent ? parent.association.kind === "hasOne" : registration.singular;

/** The names of nested routes: `blogging_post_nested_comments`, `blogging_post_nested_comment`. */
export function nestedNames(parent: Registration, association: AssociationInfo): { many: string; one: string } {
  const name = `${parent.names.one}_nested_${association.name}`;
  if (association.kind === "hasOne") return { many: name, one: name };
  const one = `${parent.names.one}_nested_${singularize(association.name)}`;
  return { many: name === one ? `${name}_index` : name, one };
}

export const ownerLabel = (engine: Engine | string | undefined): string =>
  engine === undefined ? "the main application" : typeof engine === "string" ? engine : engine.name;
