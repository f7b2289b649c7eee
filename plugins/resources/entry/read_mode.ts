import { BaseModel, type ModelInfo, RowReader } from "framewright/plugins/database";
import { ResourceController } from "../controller.ts";
import type { Registration, ResourceRoute } from "../registration/registration.ts";

/** How the records of a page are read: as plain rows, or as instances of their model, and why. */
export interface Reads {
  reads: "rows" | "instances";
  because: string;
}

declare module "framewright/host" {
  interface RouteMetadata {
    /** Of a list or a record's page: whether its records are read as plain rows, or as instances, and why. */
    reads?: Reads["reads"];
    because?: string;
  }
}

/** What a controller does with records: one that says any of it anew is given records, as they always were. */
const steps = [
  "policyFor",
  "authorizeAction",
  "listOf",
  "visibleRecords",
  "findRecord",
  "found",
  "singularRecord",
  "onlyOne",
  "loadedFor",
  "graphOf",
  "resourceUrlFor",
  "urlFor",
  "recordJson",
  "answerRecord",
] as const satisfies readonly (keyof ResourceController)[];

const known = new WeakMap<object, WeakMap<Function, Reads>>();

/** How a controller reads the records of its lists and pages; worked out once for each model and class of controllers. */
export function readsOf({ model }: Registration, controller: Function): Reads {
  let classes = known.get(model.columns);
  if (!classes) {
    classes = new WeakMap();
    known.set(model.columns, classes);
  }
  let reads = classes.get(controller);
  if (!reads) {
    const because = whyInstances(model, controller);
    reads =
      because === undefined
        ? { reads: "rows", because: `a record of ${model.constant} is made where something looks at it` }
        : { reads: "instances", because };
    classes.set(controller, reads);
  }
  return reads;
}

function whyInstances(model: ModelInfo, controller: Function): string | undefined {
  const { prototype } = controller as { prototype: ResourceController };
  const own = steps.find((step) => prototype[step] !== ResourceController.prototype[step]);
  return own === undefined ? whyRecords(model) : `${controller.name} has ${own} of its own`;
}

/** How the list or the page that a route shows is read; undefined for other routes. */
export function readsOfRoute({ registration, parent }: ResourceRoute, action: unknown, controller: Function) {
  if (action !== "index" && action !== "show") return undefined;
  if (action === "show" && !isNamed({ registration, parent }))
    return {
      reads: "instances",
      because: `the only ${registration.constant} is looked for, and not by its id`,
    } as const;
  return readsOf(registration, controller);
}

/** Whether a record is named by an id. */
export const isNamed = ({ registration, parent }: Pick<ResourceRoute, "registration" | "parent">): boolean =>
  !registration.singular && parent?.association.kind !== "hasOne";

/** Why rows of a model can't stand for its records; undefined where they can. */
export function whyRecords(model: ModelInfo): string | undefined {
  const { class: cls, constant, primaryKey } = model;
  if (!model.columns.has(primaryKey)) return `${constant} has no column "${primaryKey}"`;
  if (cls.idColumn !== primaryKey || cls.prototype.$id !== BaseModel.prototype.$id)
    return `${constant} has its own $id`;
  return RowReader.of(model).needsRecords;
}

/** Whether what a list of names shows can be read as rows: what they lead to is one row each, at most. */
export const rowsWillDo = (model: ModelInfo, names: readonly string[]): boolean =>
  names.every((name) => {
    const association = model.associations.get(name);
    if (!association) return true;
    const { kind, through, target } = association;
    if (target.class.labelAssociations.length > 0) return false; // its label needs records behind it as well
    return kind === "belongsTo" && through === undefined && !whyRecords(target);
  });
