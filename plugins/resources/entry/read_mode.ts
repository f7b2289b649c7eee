import { BaseModel, type ModelInfo, RowReader } from "framewright/plugins/database";
import type { ResourceRoute } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";

/** How the records of a page are read: as plain rows, or as instances of their model, and why. */
export interface ReadMode {
  reads: "rows" | "instances";
  because: string;
}

declare module "framewright/host" {
  interface RouteMetadata {
    /** Of a list or a record's page: whether its records are read as plain rows, or as instances, and why. */
    reads?: ReadMode["reads"];
    because?: string;
  }
}

/**
 * Methods of controllers that are given or return records. Rows are shown without calling them, so overriding one makes
 * a controller's lists and pages read instances. A test checks that every method of ResourceRequest is in this
 * list, or is called for rows as well.
 */
const recordMethods = [
  "policyFor",
  "authorizeAction",
  "listOf",
  "visibleRecords",
  "findRecord",
  "labelled",
  "found",
  "singularRecord",
  "onlyOne",
  "loadedFor",
  "graphOf",
  "resourceUrlFor",
  "urlFor",
  "recordJson",
  "answerRecord",
] as const satisfies readonly (keyof ResourceRequest)[];
export type RecordMethod = (typeof recordMethods)[number];
export type RecordMethods = Pick<ResourceRequest, RecordMethod>;

/** Which of the methods that are given records a class of controllers overrides, in the order above. */
export interface Overrides {
  readonly controller: string;
  readonly methods: ReadonlySet<RecordMethod>;
  /** Whether it has a `destroy` of its own. */
  readonly destroys: boolean;
}

/** Module-level: found by a class, which never changes. */
const known = new WeakMap<Function, Overrides>();

/** What a class overrides of `base`, the prototype of ResourceRequest; found once for each class. */
export function findOverrides(controller: Function, base: ResourceRequest): Overrides {
  let overrides = known.get(controller);
  if (!overrides) {
    const { prototype } = controller as { prototype: ResourceRequest };
    const methods = new Set(recordMethods.filter((name) => prototype[name] !== base[name]));
    overrides = { controller: controller.name, methods, destroys: prototype.destroy !== base.destroy };
    known.set(controller, overrides);
  }
  return overrides;
}

/** Whether a controller's lists and pages can show rows of a model; which associations they name matters as well. */
export const canUseRows = (model: ModelInfo, { methods }: Overrides): boolean =>
  methods.size === 0 && reasonForRecords(model) === undefined;

/** How the list or the page that a route shows is read; undefined for other routes. */
export function readModeOf(
  { registration, parent }: ResourceRoute,
  action: unknown,
  { controller, methods }: Overrides,
): ReadMode | undefined {
  if (action !== "index" && action !== "show") return undefined;
  const { model, constant } = registration;
  if (action === "show" && !isNamed({ registration, parent }))
    return { reads: "instances", because: `the only ${constant} is looked for, and not by its id` };
  const [own] = methods;
  const reason = own === undefined ? reasonForRecords(model) : `${controller} has ${own} of its own`;
  if (reason !== undefined) return { reads: "instances", because: reason };
  return { reads: "rows", because: `a record of ${constant} is created where something reads it` };
}

/** Whether a record is named by an id. */
export const isNamed = ({ registration, parent }: Pick<ResourceRoute, "registration" | "parent">): boolean =>
  !registration.singular && parent?.association.kind !== "hasOne";

/** Why rows of a model can't replace its instances; undefined where they can. */
export function reasonForRecords(model: ModelInfo): string | undefined {
  const { class: cls, constant, primaryKey } = model;
  if (!model.columns.has(primaryKey)) return `${constant} has no column "${primaryKey}"`;
  if (cls.prototype.$id !== BaseModel.prototype.$id) return `${constant} has its own $id`;
  if (!model.isFast) return "the fast paths of the database are turned off";
  return RowReader.of(model).needsRecords;
}

/** Whether what a list of names shows can be read as rows: what they lead to is one row each, at most. */
export const canNameRows = (model: ModelInfo, names: readonly string[]): boolean =>
  names.every((name) => {
    const association = model.associations.get(name);
    if (!association) return !model.polymorphic.has(name);
    const { kind, through, target } = association;
    if (target.class.labelAssociations.length > 0) return false; // its label needs more records
    return kind === "belongsTo" && through === undefined && reasonForRecords(target) === undefined;
  });
