import type { ControllerClass, Reply } from "framewright/host";
import type { InteractionClass } from "../definition/interaction.ts";
import { errors } from "../errors.ts";
import type { Registration } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";

/** A controller whose visitors can be asked to confirm who they are: those of the mode `authlib`. */
interface Confirming {
  confirmed?(): Promise<Reply | undefined>;
}

/** The answer that asks to confirm, before an interaction with `static confirms = true`. @throws FW_CONFIRMS_MODE */
export async function confirmInteraction(
  controller: ResourceRequest,
  interaction: InteractionClass | undefined,
): Promise<Reply | undefined> {
  if (!interaction?.confirms) return undefined;
  const confirming = controller as Confirming;
  if (!confirming.confirmed) throw errors.FW_CONFIRMS_MODE(interaction.name, controller.constructor.name);
  return confirming.confirmed();
}

/** The answer that asks to confirm, before a controller does in a job what `static confirms` lists for its forms. */
export async function confirmActions(
  controller: ResourceRequest,
  actions: readonly string[],
): Promise<Reply | undefined> {
  const { confirms = [] } = controller.constructor as { confirms?: readonly string[] };
  return confirms.some((name) => actions.includes(name)) ? (controller as Confirming).confirmed?.() : undefined;
}

/** Holds `static confirms` of a controller against what it can do: a name that is nobody's would guard nothing. @throws FW_CONFIRMS_UNKNOWN */
export function checkConfirms(controller: ControllerClass, registration: Registration): void {
  const { confirms = [] } = controller as { confirms?: readonly string[] };
  if (confirms.length === 0) return;
  const { definition } = registration;
  const isKnown = (name: string) => name in controller.prototype || definition.actions.has(name);
  const unknown = confirms.find((name) => !isKnown(name));
  if (unknown !== undefined) throw errors.FW_CONFIRMS_UNKNOWN(controller.name, unknown, [...definition.actions.keys()]);
}
