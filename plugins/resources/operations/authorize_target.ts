import { messageOf } from "framewright/kernel";
import { ValidationError } from "framewright/plugins/database";
import type { ResourceAction } from "../definition/actions.ts";
import { recordEntry } from "../entry/record_entry.ts";
import { contextOf } from "../pages/chrome.ts";
import { isHidden, prepareActions } from "../pages/hidden_actions.ts";
import type { ResourceRequest } from "../request.ts";
import { isDenial, Refusal } from "./denial.ts";
import { FailedInteraction } from "./execute_interaction.ts";
import { problemSentence } from "./field_errors.ts";

/** Checks the policy and the conditions for the record. @throws Refusal */
export async function authorizeTarget(
  controller: ResourceRequest,
  { key, policy = key, condition }: ResourceAction,
): Promise<void> {
  const entry = recordEntry(controller, controller.record!);
  await controller.authorizeAction(policy, controller.record).catch((error: unknown) => {
    throw isDenial(error) ? new Refusal("policy") : error;
  });
  if (condition && !condition(contextOf(controller))) throw new Refusal("condition");
  await prepareActions(controller, [entry]);
  if (isHidden(controller, key, entry)) throw new Refusal("condition");
}

/** What prevented the action on a record; errors of an unavailable database are thrown on. */
export function targetProblem(controller: ResourceRequest, error: unknown): Refusal | string {
  if (error instanceof Refusal) return error;
  if (error instanceof FailedInteraction) {
    const { message, fields } = error.outcome;
    return [message, ...Object.values(fields).flat()].filter(Boolean).join(" ") || controller.t("resource.invalid");
  }
  if (error instanceof ValidationError) return problemSentence(controller, error);
  if (isDenial(error)) return error.message;
  if ((error as { status?: number }).status === 503) throw error;
  controller.request.application.log.error(
    { err: error },
    `an action on one of several records failed: ${messageOf(error)}`,
  );
  return controller.t("resource.background.error");
}
