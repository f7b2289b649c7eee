import type { BaseModel } from "framewright/plugins/database";
import type { Transaction } from "objection";
import type { Interaction, InteractionClass } from "../definition/interaction.ts";
import { isOutcome, type Outcome } from "../definition/outcome.ts";
import { errors } from "../errors.ts";
import type { ResourceRequest } from "../request.ts";

/** Carries a failed outcome out of the transaction, which it undoes. */
export class FailedInteraction extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super("the interaction failed");
    this.outcome = outcome;
  }
}

interface Given {
  /** Its record is the interaction's. */
  controller: ResourceRequest;
  values: Record<string, unknown>;
}

/**
 * Executes an interaction in a transaction.
 * @throws FailedInteraction, FW_INTERACTION_OUTCOME, FW_INTERACTION_REDIRECT, FW_INTERACTION_DOWNLOAD
 */
export async function executeIn(
  transaction: Transaction,
  Class: InteractionClass,
  { controller, values }: Given,
): Promise<readonly [Outcome, Interaction]> {
  const { database } = controller.resources;
  const record = controller.record as BaseModel;
  const interaction = new Class({ record, controller, values, transaction, database });
  const outcome: unknown = await interaction.execute();
  if (!isOutcome(outcome)) throw errors.FW_INTERACTION_OUTCOME(Class.name);
  const { location } = outcome;
  if (location !== undefined && controller.request.safeLocation(location) === undefined)
    throw errors.FW_INTERACTION_REDIRECT(Class.name, location); // before anything is committed
  if (outcome.file && !Class.download) throw errors.FW_INTERACTION_DOWNLOAD(Class.name);
  if (!outcome.ok) throw new FailedInteraction(outcome);
  return [outcome, interaction];
}
