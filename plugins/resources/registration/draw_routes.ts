import type { Constraint, Route, RouteOptions, RouteSet, Verb } from "framewright/host";
import type { AssociationInfo, ModelClass } from "framewright/plugins/database";
import { isBuiltInPredicate } from "../definition/built_in_predicates.ts";
import { predicateOf } from "../definition/policy.ts";
import { errors } from "../errors.ts";
import { nestedAssociations } from "./nested_associations.ts";
import type { PluginResource } from "./plugin_resource.ts";
import { nestedNames, type RegisterOptions, type Registration, type ResourceRoute } from "./registration.ts";
import type { ResourceRegistry } from "./registry.ts";
import type { ResourcePlace, ResourceRouteAction, ResourceRouteOptions } from "./resource_place.ts";
import { drawList, drawListActions, drawListParts, drawRecord, type StandardRoutes } from "./standard_routes.ts";

/** Custom routes of a resource, on one record or on the list. */
export interface CustomRoutes {
  get(path: string, options?: CustomOptions): void;
  post(path: string, options?: CustomOptions): void;
  put(path: string, options?: CustomOptions): void;
  patch(path: string, options?: CustomOptions): void;
  delete(path: string, options?: CustomOptions): void;
}
/** Options of a custom route. */
export interface CustomOptions {
  /** The name that `resourceUrlFor(record, { action })` finds it by. */
  as?: string;
  /** The controller's method, by default named as the path, or a function that takes the controller. */
  action?: ResourceRouteAction;
}
/** Draws custom routes of a resource, on one record or on the list. */
export interface ResourceRoutes {
  member(block: (routes: CustomRoutes) => void): void;
  collection(block: (routes: CustomRoutes) => void): void;
}

declare module "framewright/host" {
  interface RouteMacros {
    /** Serves a model in this portal: its routes, and nested ones for its has-many and has-one associations. */
    registerResource(
      model: ModelClass | PluginResource,
      options?: RegisterOptions,
      block?: (routes: ResourceRoutes) => void,
    ): void;
  }
}

type Names = { many: string; one: string };
interface Drawing {
  set: RouteSet;
  about: ResourceRoute;
  names: Names;
  base: string;
  single: boolean;
}

/** Draws routes of resources, and keeps what each is about. */
export class ResourceDrawer {
  readonly #registry: ResourceRegistry;
  readonly #drawn: (set: RouteSet, registration: Registration) => void;
  readonly #placed: (place: ResourcePlace) => void;
  readonly #hasPanels: () => boolean;
  readonly #blocks = new Map<Registration, (routes: ResourceRoutes) => void>();
  readonly #sets = new Map<Registration, RouteSet>();
  /** What a registration was put within by `routes.constraints`: its nested routes are drawn later. */
  readonly #constraints = new Map<Registration, Constraint | undefined>();

  constructor(
    registry: ResourceRegistry,
    drawn: (set: RouteSet, registration: Registration) => void,
    placed: (place: ResourcePlace) => void,
    hasPanels: () => boolean,
  ) {
    this.#registry = registry;
    this.#drawn = drawn;
    this.#placed = placed;
    this.#hasPanels = hasPanels;
  }

  register(
    set: RouteSet,
    given: ModelClass | PluginResource,
    options: RegisterOptions = {},
    block?: (routes: ResourceRoutes) => void,
  ): void {
    const model = this.#registry.brought.modelOf(given);
    const registration = this.#registry.register(set, model, options);
    if (block) this.#blocks.set(registration, block);
    this.#sets.set(registration, set);
    this.#constraints.set(registration, set.constraint);
    this.#draw({
      set,
      about: { registration },
      names: registration.names,
      base: registration.path,
      single: registration.singular,
    });
    this.#drawn(set, registration);
  }

  /** The routes of each portal that has resources, by its name. */
  portals(): Map<string | undefined, RouteSet> {
    return new Map([...this.#sets].map(([{ owner }, set]) => [owner, set]));
  }

  /** Once all resources are registered: the nested routes of each. @throws FW_ASSOCIATION_UNROUTABLE, FW_ASSOCIATIONS_UNDECLARED */
  drawNested(mode: "all" | "declared"): void {
    for (const [registration, set] of this.#sets) {
      const associations = nestedAssociations(this.#registry, registration, mode);
      this.#registry.setNested(registration, associations);
      for (const association of associations) this.#drawNestedOf(set, registration, association);
    }
  }

  #drawNestedOf(set: RouteSet, parent: Registration, association: AssociationInfo): void {
    const registration = this.#registry.of(parent.owner).get(association.target.constant)!;
    const base = `${parent.path}${parent.singular ? "" : `/:${parent.parentParameter}`}/nested_${association.name}`;
    const about = { registration, parent: { registration: parent, association } };
    const single = association.kind === "hasOne";
    const draw = () => this.#draw({ set, about, names: nestedNames(parent, association), base, single });
    const around = [parent, registration].flatMap((one) => this.#constraints.get(one) ?? []);
    [...new Set(around)].reduce((inner, constraint) => () => set.constraints(constraint, inner), draw)();
  }

  #draw(drawing: Drawing): void {
    const { about, base, single, names } = drawing;
    const member = single ? base : `${base}/:id`;
    const adds =
      (of: Drawing): StandardRoutes["add"] =>
      (verb, path, action, policy, as) =>
        void this.#route(of, verb, path, { action, policy, ...(as === undefined ? {} : { as }) });
    const routes: StandardRoutes = {
      about,
      base,
      member,
      single,
      names,
      through: about.parent?.association.through !== undefined,
      has: { panels: this.#hasPanels() },
      add: adds(drawing),
    };
    drawList(routes);
    this.#drawCustom(drawing, member);
    const draw: ResourcePlace["draw"] = (verb, path, { answer, ...options }) =>
      this.#route(answer ? { ...drawing, about: { ...about, answer } } : drawing, verb, path, options);
    this.#placed({ about, base, member, single, through: routes.through, draw });
    drawListParts(routes);
    drawListActions(routes);
    drawRecord(routes);
  }

  #drawCustom(drawing: Drawing, member: string): void {
    const { registration } = drawing.about;
    const block = this.#blocks.get(registration);
    block?.({
      member: (draw) => draw(this.#custom(drawing, "member", member, drawing.names.one)),
      collection: (draw) => draw(this.#custom(drawing, "collection", drawing.base, drawing.names.many)),
    });
  }

  #custom(drawing: Drawing, placement: "member" | "collection", base: string, name: string): CustomRoutes {
    const { registration } = drawing.about;
    const draw =
      (verb: Verb) =>
      (path: string, { as, action = path.replaceAll("-", "_") }: CustomOptions = {}) => {
        const key = as ?? (typeof action === "string" ? action : path);
        if (isBuiltInPredicate(key) && !standardActions.has(key))
          throw errors.FW_ROUTE_KEY(registration.constant, key, predicateOf(key));
        if (!registration.customRoutes.get(key)) registration.customRoutes.set(key, as);
        const about = {
          ...drawing.about,
          custom: { placement, action: key, otherwise: otherwiseFor(placement, verb) },
        };
        const named = as === undefined ? {} : { as: `${as}_${name}` };
        this.#route({ ...drawing, about }, verb, `${base}/${path}`, { action, policy: predicateOf(key), ...named });
      };
    return { get: draw("GET"), post: draw("POST"), put: draw("PUT"), patch: draw("PATCH"), delete: draw("DELETE") };
  }

  #route({ set, about, base, single }: Drawing, verb: Verb, path: string, options: ResourceRouteOptions): Route {
    const { registration, parent } = about;
    const association = parent && { association: `${parent.registration.constant}#${parent.association.name}` };
    const keys = keysOf(registration, parent?.registration);
    const route = set.draw(verb, path, {
      controller: registration.controller,
      resource: registration.constant,
      ...association,
      ...(keys ? { keys } : {}),
      ...(options as RouteOptions), // the controller of a resource's routes is one of resources
    });
    const below = path.slice(base.length + 1).split("/")[0]!;
    if (!single && below !== "" && !below.startsWith(":")) registration.model.reservedParams.add(below.toLowerCase());
    this.#registry.routes.set(route, about);
    return route;
  }
}

/** By parameter, the columns other than the id that addresses name records by. */
function keysOf(own: Registration, parent: Registration | undefined): Record<string, string> | undefined {
  const keys: Record<string, string> = {};
  if (own.paramKey !== own.model.primaryKey) keys.id = own.paramKey;
  if (parent && parent.paramKey !== parent.model.primaryKey) keys[parent.parentParameter] = parent.paramKey;
  return Object.keys(keys).length > 0 ? keys : undefined;
}

/** Actions that a custom route may lead to: their predicates are about them. */
const standardActions = new Set(["index", "show", "new", "create", "edit", "update", "destroy"]);

/** What a custom route checks of a policy that has no predicate of its name. */
const otherwiseFor = (placement: "member" | "collection", verb: Verb): string =>
  placement === "member" ? (verb === "GET" ? "show" : "update") : verb === "GET" ? "index" : "create";
