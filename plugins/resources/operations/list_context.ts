import type { ResourceController } from "../controller.ts";
import type { ListContext } from "../definition/definition.ts";
import { allows } from "../definition/policy.ts";

/** Who asks for the list of a request, and where. */
export const listContextOf = ({
  currentUser,
  currentScopedEntity,
  parent,
  registration,
}: ResourceController): ListContext => ({ currentUser, currentScopedEntity, parent, portal: registration.owner });

/** Whether the list has a search that the policy allows the person. */
export const maySearch = (controller: ResourceController): boolean =>
  controller.registration.definition.searcher !== undefined && allows(controller.policyFor(), "search");
