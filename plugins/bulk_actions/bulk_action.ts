import type { InteractionClass, Registration, ResourceAction } from "framewright/plugins/resources";
import { DestroyRecord } from "./destroy_record.ts";

/** An action on selected rows; deleting is an interaction here. */
export interface BulkAction extends ResourceAction {
  interaction: InteractionClass;
}

/** The actions for which rows of a list are selected, in their order; found once for each resource. */
export function bulkActionsOf(registration: Registration): readonly BulkAction[] {
  return registration.once("bulk actions", () =>
    [...registration.definition.actions.values()]
      .filter(({ bulk }) => bulk === true)
      .map((action) => ({ ...action, interaction: action.interaction ?? DestroyRecord }))
      .sort((a, b) => (a.position ?? 50) - (b.position ?? 50)),
  );
}
