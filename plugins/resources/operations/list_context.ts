import type { ResourceController } from "../controller.ts";
import type { ListContext } from "../definition/definition.ts";

/** Who asks for the list of a request, and where. */
export const listContextOf = ({
  currentUser,
  currentScopedEntity,
  parent,
  registration,
}: ResourceController): ListContext => ({ currentUser, currentScopedEntity, parent, portal: registration.owner });
