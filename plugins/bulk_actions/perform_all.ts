import { messageOf } from "framewright/kernel";
import { ModelInfo, type Transaction } from "framewright/plugins/database";
import { type Interaction, labelOf, type ResourceRequest } from "framewright/plugins/resources";
import { authorizeTarget, executeIn, findOnList, Refusal, targetProblem } from "framewright/plugins/resources/toolkit";
import type { BulkAction } from "./bulk_action.ts";
import type { Turn } from "./perform_chosen.ts";

interface Whole {
  action: BulkAction;
  values: Record<string, unknown>;
  ids: readonly string[];
}
interface Done {
  turn: Turn;
  interaction: Interaction;
}

/** Carries what could not be done out of the transaction, which it undoes. */
class Undone extends Error {
  readonly turn: Turn;
  constructor(turn: Turn) {
    super("one of several records could not be done");
    this.turn = turn;
  }
}

/** Acts on all records in one transaction, or on none of them. @throws HttpError 503 */
export async function performAll(controller: ResourceRequest, whole: Whole): Promise<Turn[]> {
  const { action, ids } = whole;
  const { database } = controller.resources;
  const limits = { until: controller.request.deadline, by: `the interaction "${action.interaction.name}"` };
  try {
    const done = await database.transaction((transaction) => performIn(transaction, controller, whole), limits);
    for (const { interaction } of done) await announce(controller, interaction);
    return done.map(({ turn }) => turn);
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    return ids.map((id) => (id === String(error.turn.id) ? error.turn : { id, refused: "stopped" }));
  } finally {
    controller.record = undefined;
  }
}

async function performIn(
  transaction: Transaction,
  controller: ResourceRequest,
  { action, values, ids }: Whole,
): Promise<Done[]> {
  const done: Done[] = [];
  for (const id of ids) {
    const turn: { id: string | number; label?: string } = { id };
    controller.record = undefined;
    try {
      const place = { id, ids: [id], values, transaction };
      const record = await findOnList(controller, action.interaction, place);
      controller.record = record;
      turn.label = labelOf(controller, record);
      await authorizeTarget(controller, action);
      const [, interaction] = await executeIn(transaction, action.interaction, { controller, values });
      done.push({ turn: { ...turn, id: ModelInfo.keyOf(record)! }, interaction });
    } catch (error) {
      const problem = targetProblem(controller, error);
      throw new Undone(problem instanceof Refusal ? { ...turn, refused: problem.kind } : { ...turn, failed: problem });
    } finally {
      controller.reply = undefined; // one record's answer is not that of all
    }
  }
  return done;
}

async function announce({ request }: ResourceRequest, interaction: Interaction): Promise<void> {
  try {
    await interaction.afterCommit();
  } catch (error) {
    const name = interaction.constructor.name;
    request.application.log.error({ err: error }, `${name}.afterCommit() failed: ${messageOf(error)}`);
  }
}
