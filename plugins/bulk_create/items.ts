import { type FieldErrors, isParamObject, type ParamObject, Params, unprocessable } from "framewright/host";
import type { ResourceRequest } from "framewright/plugins/resources";

export interface BulkLimits {
  readonly most: number;
  readonly mostInBackground: number;
}

/** The records that were sent. @throws HttpError 422 for none, for too many, and for what is no record */
export function readItems(controller: ResourceRequest, most: number): ParamObject[] {
  const { key } = controller.registration;
  const given = controller.params.get(key) as unknown[];
  const refuse = (text: string) => unprocessable(`${key} ${text}.`, { [key]: [text] });
  if (given.length === 0) throw refuse("takes at least one record");
  if (given.length > most) throw refuse(`takes ${most} records at most, and got ${given.length}`);
  const odd = [...given.entries()].filter(([, one]) => !isParamObject(one)).map(([index]) => index);
  if (odd.length === 0) return given as ParamObject[];
  const errors: FieldErrors = Object.fromEntries(odd.map((index) => [String(index), ["has the wrong shape"]]));
  throw unprocessable(controller.t("resource.invalid"), errors);
}

/** A controller as the request for one of the records would have it. */
export function itemController(controller: ResourceRequest, item: ParamObject): ResourceRequest {
  const { currentUser, currentScopedEntity, parent, actionName } = controller;
  const own = new (controller.constructor as new (request: ResourceRequest["request"]) => ResourceRequest)(
    controller.request,
  );
  const params = new Params({ ...controller.params.toObject(), [controller.registration.key]: item });
  Object.defineProperty(own, "params", { value: params });
  return Object.assign(own, { currentUser, currentScopedEntity, parent, actionName });
}
