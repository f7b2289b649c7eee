import type { Action, Route, RouteOptions, RouteSet, Verb } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { AssociationInfo, ModelClass } from "framewright/plugins/database";
import { hasBackground } from "../background/checks.ts";
import { editedColumns } from "../cells/edited_cells.ts";
import { duplicateOf, hasBulk } from "../definition/actions.ts";
import { predicateOf } from "../definition/policy.ts";
import { errors } from "../errors.ts";
import { hasExportRuns } from "../export/checks.ts";
import { exportFormats, exportMethods } from "../export/formats.ts";
import { hasImport } from "../import/checks.ts";
import {
  hasDuplicates,
  nestedNames,
  type RegisterOptions,
  type Registration,
  type ResourceRoute,
} from "./registration.ts";
import type { ResourceRegistry } from "./registry.ts";

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
  /** The controller's method; by default named as the path. */
  action?: Action;
}
/** Draws custom routes of a resource, on one record or on the list. */
export interface ResourceRoutes {
  member(block: (routes: CustomRoutes) => void): void;
  collection(block: (routes: CustomRoutes) => void): void;
}

declare module "framewright/host" {
  interface RouteMacros {
    /** Serves a model in this portal: its routes, and nested ones for its has-many and has-one associations. */
    registerResource(model: ModelClass, options?: RegisterOptions, block?: (routes: ResourceRoutes) => void): void;
  }
}

/** Where a resource is served: at its own address, or below a parent's. */
export interface ResourcePlace {
  readonly about: ResourceRoute;
  /** The path of the list, below the mount: `posts`; of a singular resource, its page. */
  readonly base: string;
  /** The path of one record: `posts/:id`. */
  readonly member: string;
  /** Draws a route that the resource's own controller serves. */
  draw(verb: Verb, path: string, options: RouteOptions): Route;
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
  readonly #hasJobs: () => boolean;
  readonly #keepsViews: boolean;
  readonly #keepsDeletions: boolean;
  readonly #blocks = new Map<Registration, (routes: ResourceRoutes) => void>();
  readonly #sets = new Map<Registration, RouteSet>();

  constructor(
    registry: ResourceRegistry,
    drawn: (set: RouteSet, registration: Registration) => void,
    placed: (place: ResourcePlace) => void,
    hasPanels: () => boolean,
    hasJobs: () => boolean,
    options: Readonly<Record<"savedViews" | "undoDeletions", boolean>>,
  ) {
    this.#keepsViews = options.savedViews;
    this.#keepsDeletions = options.undoDeletions;
    this.#hasJobs = hasJobs;
    this.#registry = registry;
    this.#drawn = drawn;
    this.#placed = placed;
    this.#hasPanels = hasPanels;
  }

  register(
    set: RouteSet,
    model: ModelClass,
    options: RegisterOptions = {},
    block?: (routes: ResourceRoutes) => void,
  ): void {
    const registration = this.#registry.register(set, model, options);
    if (block) this.#blocks.set(registration, block);
    this.#sets.set(registration, set);
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
    this.#draw({ set, about, names: nestedNames(parent, association), base, single: association.kind === "hasOne" });
  }

  #draw(drawing: Drawing): void {
    const { base, single, names } = drawing;
    const member = single ? base : `${base}/:id`;
    const add = (verb: Verb, path: string, action: string, policy: string, as?: string) =>
      this.#route(drawing, verb, path, { action, policy, ...(as === undefined ? {} : { as }) });
    const through = drawing.about.parent?.association.through !== undefined; // a record in between would have to be created as well
    if (!single) add("GET", base, "index", "canIndex", names.many);
    if (!through) add("POST", base, "create", "canCreate", single ? names.one : names.many);
    if (!through) add("GET", `${base}/new`, "new", "canNew", `new_${names.one}`);
    this.#drawCustom(drawing, member);
    const draw = (verb: Verb, path: string, options: RouteOptions) => this.#route(drawing, verb, path, options);
    this.#placed({ about: drawing.about, base, member, draw });
    add("GET", `${base}/typeahead/:association`, "typeahead", "canRead");
    if (!single) drawExports(drawing, add);
    if (!single && !drawing.about.parent && this.#keepsViews) {
      add("POST", `${base}/views`, "createView", "canIndex");
      add("POST", `${base}/views/:view_id/delete`, "deleteView", "(owner)");
      add("POST", `${base}/views/:view_id/default`, "setDefaultView", "(owner)");
    }
    if (!single && !through && this.#keepsDeletions)
      add("POST", `${base}/deletions/:undo_key/undo`, "undoDeletion", "canCreate");
    if (!single && !drawing.about.parent && hasImport(drawing.about.registration)) drawImport(base, add);
    if (!single) add("GET", `${base}/actions/:action_key`, "collectionAction", "(by action)");
    if (!single) add("POST", `${base}/actions/:action_key`, "runCollectionAction", "(by action)");
    if (!single && hasBulk(drawing.about.registration.definition)) {
      add("GET", `${base}/bulk/:action_key`, "bulkAction", "(by action)");
      add("POST", `${base}/bulk/:action_key`, "runBulkAction", "(by action)");
    }
    if (!drawing.about.parent && hasBackground(drawing.about.registration, this.#hasJobs())) {
      add("GET", `${base}/background_runs/:run_id`, "backgroundRun", "(owner)");
      add("POST", `${base}/background_runs/:run_id/cancel`, "cancelBackgroundRun", "(owner)");
      if (hasExportRuns(drawing.about.registration))
        add("GET", `${base}/background_runs/:run_id/file`, "exportFile", "(owner)");
    }
    add("GET", `${member}/edit`, "edit", "canEdit", `edit_${names.one}`);
    const duplicate = duplicateOf(drawing.about.registration.definition);
    if (duplicate && hasDuplicates(drawing.about))
      add("GET", `${member}/duplicate`, "newDuplicate", predicateOf(duplicate.policy!));
    if (!single && editedColumns(drawing.about.registration.definition).length > 0) {
      add("GET", `${member}/cells/:cell_name`, "edit", "canEdit");
      add("PATCH", `${member}/cells/:cell_name`, "update", "canUpdate");
    }
    if (!single && drawing.about.registration.definition.reorderedBy !== undefined)
      this.#route({ ...drawing, about: { ...drawing.about, isMove: true } }, "POST", `${member}/order`, {
        ...{ action: "update", policy: "canUpdate" },
      });
    add("GET", `${member}/actions/:action_key`, "recordAction", "(by action)");
    add("POST", `${member}/actions/:action_key`, "runRecordAction", "(by action)");
    if (this.#hasPanels()) add("GET", `${member}/panels/:panel_key`, "show", "canShow");
    add("GET", member, "show", "canShow", names.one);
    add("PATCH", member, "update", "canUpdate", names.one);
    add("DELETE", member, "destroy", "canDestroy", names.one);
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

  #route({ set, about, base, single }: Drawing, verb: Verb, path: string, options: RouteOptions): Route {
    const { registration, parent } = about;
    const association = parent && { association: `${parent.registration.constant}#${parent.association.name}` };
    const keys = keysOf(registration, parent?.registration);
    const route = set.draw(verb, path, {
      controller: registration.controller,
      resource: registration.constant,
      ...association,
      ...(keys ? { keys } : {}),
      ...options,
    });
    const below = path.slice(base.length + 1).split("/")[0]!;
    if (!single && below !== "" && !below.startsWith(":")) registration.model.reservedParams.add(below.toLowerCase());
    this.#registry.routes.set(route, about);
    return route;
  }
}

type Add = (verb: Verb, path: string, action: string, policy: string) => void;

/** The downloads of a list; a POST leaves one to a job. */
function drawExports({ base, about: { registration } }: Drawing, add: Add): void {
  for (const format of exportFormats) {
    const path = `${base}/export.${format}`; // no id and no slug has a dot
    add("GET", path, exportMethods[format], "canExport");
    if (hasExportRuns(registration)) add("POST", path, exportMethods[format], "canExport");
  }
}

/** The steps of an import: all but the first two are for the person who uploaded the file. */
function drawImport(base: string, add: Add): void {
  const own = `${base}/import/:import_id`;
  add("GET", `${base}/import`, "newImport", "canImport");
  add("POST", `${base}/import`, "createImport", "canImport");
  add("GET", own, "showImport", "canImport");
  add("POST", own, "mapImport", "canImport");
  add("GET", `${own}/check`, "checkImport", "canImport");
  add("GET", `${own}/failures.csv`, "importFailures", "canImport");
  add("POST", `${own}/start`, "startImport", "canImport");
  add("POST", `${own}/cancel`, "cancelImport", "canImport");
  add("GET", `${own}/undo`, "askUndoImport", "canImport");
  add("POST", `${own}/undo`, "undoImport", "canImport");
}

/** By parameter, the columns other than the id that addresses name records by. */
function keysOf(own: Registration, parent: Registration | undefined): Record<string, string> | undefined {
  const keys: Record<string, string> = {};
  if (own.paramKey !== "id") keys.id = own.paramKey;
  if (parent && parent.paramKey !== "id") keys[parent.parentParameter] = parent.paramKey;
  return Object.keys(keys).length > 0 ? keys : undefined;
}

/** What a custom route asks of a policy that has no predicate of its name. */
const otherwiseFor = (placement: "member" | "collection", verb: Verb): string =>
  placement === "member" ? (verb === "GET" ? "show" : "update") : verb === "GET" ? "index" : "create";

/** Which associations of a resource get nested routes. */
function nestedAssociations(
  registry: ResourceRegistry,
  registration: Registration,
  mode: "all" | "declared",
): AssociationInfo[] {
  const { model, options, constant, owner } = registration;
  const all = [...model.associations.values()];
  const whyNot = ({ kind, target }: AssociationInfo): string | undefined => {
    if (kind === "belongsTo") return "belongs to its target: only has-many and has-one associations are nested";
    return registry.has(owner, target)
      ? undefined
      : `leads to ${target.constant}, which is not registered in the same portal`;
  };
  const routable = all.filter((association) => whyNot(association) === undefined);
  if (options.associations === undefined) {
    if (mode === "declared" && routable.length > 0)
      throw errors.FW_ASSOCIATIONS_UNDECLARED(
        constant,
        routable.map(({ name }) => name),
      );
    return routable;
  }
  return options.associations.map((name) => {
    const association = model.associations.get(name);
    const why = association ? whyNot(association) : "the model does not have";
    if (why !== undefined)
      throw errors.FW_ASSOCIATION_UNROUTABLE(
        constant,
        name,
        why,
        suggest(
          name,
          routable.map((one) => one.name),
        ),
      );
    return association!;
  });
}
