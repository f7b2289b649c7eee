import type { AssociationInfo, BaseModel, ModelClass } from "framewright/plugins/database";
import type { ResourceRoute } from "./registration.ts";
import type { ResourceUrlOptions } from "./urls.ts";

/** The address below a parent: of the resource that serves the parent here, where others serve it, too. */
export function belowParent(parent: BaseModel, { name, model }: AssociationInfo): ResourceUrlOptions {
  return { parent, association: name, ...(model.inheritance ? { parentResource: model.class } : {}) };
}

/** The address of a record by the resource of a route: where the record's own class is registered as well, that one stays out of it. */
export function servedBy(
  { registration: { model } }: ResourceRoute,
  subject: BaseModel | ModelClass,
): ResourceUrlOptions {
  return model.inheritance && subject instanceof model.class ? { resource: model.class } : {};
}

/** The class whose resource is looked for: the requested one, if the record is of it. */
export const servedClass = (record: BaseModel, asked: ModelClass | undefined): ModelClass =>
  asked && record instanceof asked ? asked : (record.constructor as ModelClass);
