import { queryPlace } from "framewright/plugins/database";
import type { ActionsShown, ResourceRequest } from "framewright/plugins/resources";
import { type StateMachine, statesOf } from "./state_machine.ts";
import { refusals } from "./transition.ts";

/**
 * Hides the transitions that do not apply, from pages; a request for one is answered with the reason. What guards look up is
 * read once for all records.
 */
export function hideTransitions(shown: ActionsShown, controller: ResourceRequest): Promise<void> | undefined {
  const machine = statesOf(controller.registration.model.class);
  const isPage = ["GET", "HEAD"].includes(controller.request.method);
  return machine && isPage ? hideRefused(machine, shown, controller) : undefined;
}

async function hideRefused(machine: StateMachine, shown: ActionsShown, controller: ResourceRequest): Promise<void> {
  const { records } = shown;
  const { database } = controller.resources;
  const query = <M>(model: { new (): M }) => database.queryIn(queryPlace(controller), model as never, undefined);
  const context = { currentUser: controller.currentUser, query: query as never, transaction: undefined };
  for (const one of machine.transitions.values()) {
    const answers = await refusals(machine, one, records, context);
    for (const [index, answer] of answers.entries()) if (answer !== true) shown.hide(one.name, records[index]);
  }
}
