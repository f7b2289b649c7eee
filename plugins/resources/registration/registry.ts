import {
  type Application,
  type ControllerClass,
  providers,
  type RouteSet,
  routePath,
  underscore,
} from "framewright/host";
import { describe, MacroTable, suggest, withMacroErrors } from "framewright/kernel";
import type { AssociationInfo, Database, ModelClass, ModelInfo } from "framewright/plugins/database";
import type { FieldTypeTable } from "framewright/plugins/fields";
import type { Views } from "framewright/plugins/views";
import type { DefinitionPlace } from "../contract.ts";
import { settleDuplicate } from "../definition/actions.ts";
import { type DefinitionClass, ResourceDefinition } from "../definition/definition.ts";
import { checkDefinition } from "../definition/definition_checks.ts";
import { addGroupConditions } from "../definition/group_conditions.ts";
import { policyClassOfPortal } from "../definition/guest_policy.ts";
import { listedOnly } from "../definition/listed_only.ts";
import { Policy, type PolicyClass } from "../definition/policy.ts";
import { checkPolicy, hidesRecords } from "../definition/policy_checks.ts";
import { checkLabel } from "../entry/load_labels.ts";
import { errors } from "../errors.ts";
import { PluginResources } from "./plugin_resource.ts";
import { ownerLabel, type RegisterOptions, Registration, type ResourceRoute } from "./registration.ts";
import type { Registrations } from "./registrations.ts";

/** The resources of an application, as they are registered. */
export class ResourceRegistry implements Registrations {
  /** The resources that plugins bring. */
  readonly brought: PluginResources;
  /** The macros that plugins add to definitions. */
  readonly definitionMacros = new MacroTable<ResourceDefinition>();
  readonly routes = new WeakMap<object, ResourceRoute>();
  readonly application: Application;
  readonly #database: Database;
  readonly #views: Views;
  readonly #owners = new Map<string, Map<string, Registration>>();
  readonly #scoped = new Map<string, ReadonlyMap<string, readonly ModelInfo[]>>();
  readonly #nested = new Map<Registration, readonly AssociationInfo[]>();

  /** The types of fields. */
  readonly types: FieldTypeTable;
  readonly #standardController: ControllerClass;
  readonly #defined: (definition: ResourceDefinition, about: DefinitionPlace) => void;

  constructor(
    application: Application,
    database: Database,
    views: Views,
    types: FieldTypeTable,
    defined: (definition: ResourceDefinition, about: DefinitionPlace) => void,
    standardController: ControllerClass,
  ) {
    this.#standardController = standardController;
    this.types = types;
    this.#defined = defined;
    this.application = application;
    this.brought = new PluginResources(() => application.kernel.registrant);
    this.#database = database;
    this.#views = views;
  }

  /** @throws FW_RESOURCE_MODEL, FW_RESOURCE_TAKEN, FW_RESOURCE_OPTION */
  register(set: RouteSet, cls: ModelClass, options: RegisterOptions): Registration {
    const { owner } = set;
    const model = this.#modelOf(cls);
    checkOptions(model.constant, options);
    checkKey(model);
    checkLabel(model);
    const registrations = this.of(owner);
    if (registrations.has(model.constant)) throw errors.FW_RESOURCE_TAKEN(model.constant, ownerLabel(owner));
    const definition = this.#define(owner, model);
    const controller = { path: routePath(model.constant), engine: owner, fallback: this.#fallback(owner, model) };
    const found = this.policyClass(owner, model);
    const ofPlace = owner === undefined ? found : policyClassOfPortal(this.application, owner, found);
    const policyClass = model.key.isMissing ? listedOnly(ofPlace) : ofPlace;
    settleDuplicate(definition, policyClass);
    const tenant = this.application.engines.get(owner ?? "")?.tenantModel;
    const { types } = this;
    const registration = new Registration({
      owner,
      model,
      options,
      policyClass,
      definition,
      controller,
      tenant,
      types,
    });
    checkPolicy(registration);
    registrations.set(model.constant, registration);
    return registration;
  }

  /** The resources of a portal, in the order in which they were registered. */
  of(owner: string | undefined): Map<string, Registration> {
    const key = owner ?? "";
    let registrations = this.#owners.get(key);
    if (!registrations) {
      registrations = new Map();
      this.#owners.set(key, registrations);
    }
    return registrations;
  }
  all(): Registration[] {
    return [...this.#owners.values()].flatMap((registrations) => [...registrations.values()]);
  }
  has(owner: string | undefined, model: ModelInfo): boolean {
    return this.of(owner).has(model.constant);
  }
  /** What serves a model in a portal: its own resource, else that of a class which it extends and shares its table with. */
  nearest(owner: string | undefined, model: ModelInfo): Registration | undefined {
    const registrations = this.of(owner);
    if (!model.parent) return registrations.get(model.constant);
    const served = model.lineage.find(({ constant }) => registrations.has(constant));
    return served && registrations.get(served.constant);
  }
  /**
   * What records of a model belong to, by name, where the policy of the portal hides some of it (`relationScope`): decided
   * once, when all is registered.
   */
  scopedReferences(owner: string | undefined, model: ModelInfo): ReadonlyMap<string, readonly ModelInfo[]> {
    const key = `${owner ?? ""} ${model.constant}`;
    let scoped = this.#scoped.get(key);
    if (!scoped) {
      const hides = (target: ModelInfo) => hidesRecords(this.nearest(owner, target)?.policyClass);
      const single = [...model.associations.values()]
        .filter(({ kind, target }) => kind === "belongsTo" && hides(target))
        .map(({ name, target }) => [name, [target]] as const);
      const several = [...model.polymorphic.values()]
        .map(({ name, targets }) => [name, [...targets.values()].filter(hides)] as const)
        .filter(([, targets]) => targets.length > 0);
      scoped = new Map<string, readonly ModelInfo[]>([...single, ...several]);
      this.#scoped.set(key, scoped);
    }
    return scoped;
  }
  /** @throws FW_RESOURCE_UNREGISTERED */
  find(owner: string | undefined, cls: ModelClass): Registration {
    const model = this.#database.model(cls);
    const { constant } = model;
    const found = this.nearest(owner, model);
    if (!found) {
      const portal = owner && (this.application.engines.get(owner)?.path ?? underscore(owner));
      throw errors.FW_RESOURCE_UNREGISTERED(constant, ownerLabel(owner), portal);
    }
    return found;
  }

  /** The associations of a resource that have nested routes. */
  nestedOf(registration: Registration): readonly AssociationInfo[] {
    return this.#nested.get(registration) ?? [];
  }
  setNested(registration: Registration, associations: readonly AssociationInfo[]): void {
    this.#nested.set(registration, associations);
  }

  /** The portal's policy of a model, else the feature's, else the application's base, which denies. */
  policyClass(owner: string | undefined, model: ModelInfo): PolicyClass {
    return (this.#classOf(owner, model, "Policy") ??
      this.application.constants.byPath("resource_policy") ??
      Policy) as PolicyClass;
  }

  #define(owner: string | undefined, model: ModelInfo): ResourceDefinition {
    const fallback = this.application.constants.byPath("resource_definition") ?? ResourceDefinition;
    const Definition = (this.#classOf(owner, model, "Definition") ?? fallback) as DefinitionClass;
    const definition = new Definition();
    this.definitionMacros.install(definition);
    withMacroErrors(Definition.name, [definition], () => definition.configure(), providers.macros);
    if (!definition.reached) throw errors.FW_DEFINITION_SUPER(Definition.name);
    this.#defined(definition, { model, portal: owner });
    checkDefinition(definition, model, this.types);
    addGroupConditions(definition, model);
    this.#checkTemplates(definition, this.application.engines.get(owner ?? "")?.path);
    return definition;
  }

  /** @throws FW_DEFINITION_TEMPLATE */
  #checkTemplates(definition: ResourceDefinition, portal: string | undefined): void {
    for (const [name, { template }] of [...definition.displays, ...definition.columns])
      if (template !== undefined && !this.#views.exists(portal, template))
        throw errors.FW_DEFINITION_TEMPLATE(definition.constructor.name, name, template);
  }

  /** The model's own class, else that of a model which it extends and shares its table with. */
  #classOf(owner: string | undefined, { lineage }: ModelInfo, kind: "Policy" | "Definition"): unknown {
    const { constants } = this.application;
    const names = lineage.flatMap(({ constant }) =>
      owner === undefined ? [constant] : [`${owner}::${constant}`, constant],
    );
    for (const name of names) if (constants.has(`${name}${kind}`)) return constants.get(`${name}${kind}`).value;
    return undefined;
  }

  /** What serves a resource that has no controller of its own: the portal's, else the application's, else ours. */
  #fallback(owner: string | undefined, { constant, lineage }: ModelInfo) {
    const { constants, engines } = this.application;
    const at = (path: string) =>
      constants.byPath(owner === undefined ? path : `${engines.get(owner)?.path}/${path}`) as Function | undefined;
    const inherited = lineage.slice(1).map(({ constant }) => at(`${routePath(constant)}_controller`));
    const portal = inherited.find(Boolean) ?? (owner === undefined ? undefined : at("resource_controller"));
    const found = portal ?? constants.byPath("resource_controller") ?? this.#standardController;
    return this.brought.controllerOf(constant, found as ControllerClass);
  }

  #modelOf(cls: ModelClass): ModelInfo {
    try {
      return this.#database.model(cls);
    } catch (cause) {
      const given = typeof cls === "function" ? (cls as { name: string }).name : String(cls);
      const error = errors.FW_RESOURCE_MODEL(given);
      error.cause = cause;
      throw error;
    }
  }
}

const optionNames = ["associations", "singular", "as", "label"];

function checkOptions(constant: string, options: RegisterOptions): void {
  for (const name of Object.keys(options)) {
    if (!optionNames.includes(name)) throw errors.FW_RESOURCE_OPTION(constant, name, suggest(name, optionNames));
  }
  const { associations, singular, as } = options as { associations?: unknown; singular?: unknown; as?: unknown };
  const refuse = (name: string, rule: string, given: unknown) =>
    errors.FW_RESOURCE_OPTION_SHAPE(constant, name, rule, describe(given));
  const isList = Array.isArray(associations) && associations.every((name) => typeof name === "string");
  if (associations !== undefined && !isList)
    throw refuse("associations", 'a list of names, as in ["comments"]', associations);
  if (singular !== undefined && typeof singular !== "boolean") throw refuse("singular", "true or false", singular);
  const isName = typeof as === "string" && /^[a-z][a-z0-9_]*$/.test(as);
  if (as !== undefined && !isName)
    throw refuse("as", 'a name in lower case, as in { as: "articles" } or { singular: true, as: "profile" }', as);
}

const keyTypes = ["integer", "bigint", "uuid", "string", "text"];
/** A key of several columns is a text of them in addresses: days and times can be in it as well. */
const partTypes = [...keyTypes, "date"];

/** Addresses, forms, JSON and associations name a record by its key. */
function checkKey({ key, columns, settled, constant, table }: ModelInfo): void {
  if (!settled) return;
  for (const name of key.columns) {
    const column = columns.get(name);
    if (!column) throw errors.FW_RESOURCE_KEY(constant, table, `has no column "${name}"`);
    if (!(key.isComposite ? partTypes : keyTypes).includes(column.type))
      throw errors.FW_RESOURCE_KEY(constant, table, `has a column "${name}" of the type ${column.type}`);
  }
}
