import { allows } from "../definition/policy.ts";
import { isSingle } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";

/** The name of the button that saves a new record and opens the form of the next one. */
export const ADD_ANOTHER = "_another";

/** Whether several records can be added, one after the other. */
export const mayAddAnother = (controller: ResourceRequest): boolean =>
  !isSingle(controller.about) && allows(controller.policyFor(), "new");

/** The form of the next record, where the person requested it; it leads back where this one would have led. */
export function anotherLocation(controller: ResourceRequest): string | undefined {
  if (controller.params.get(ADD_ANOTHER) !== "1" || !mayAddAnother(controller)) return undefined;
  const url = controller.urlFor(controller.registration.model.class, { action: "new" });
  const back = controller.returnTo();
  return back === undefined ? url : `${url}?return_to=${encodeURIComponent(back)}`;
}
