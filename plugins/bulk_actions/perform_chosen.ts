import { messageOf } from "framewright/kernel";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { labelOf, type RefusalKind, type ResourceRequest } from "framewright/plugins/resources";
import { authorizeTarget, executeIn, findOnList, Refusal, targetProblem } from "framewright/plugins/resources/toolkit";
import type { BulkAction } from "./bulk_action.ts";

/** What became of a selected record. The label is there where the person may see it. */
export interface Turn {
  readonly id: string | number;
  readonly label?: string;
  /** It was not done, since it may not be, or since another one could not be. */
  readonly refused?: RefusalKind;
  /** It was tried, and undone. */
  readonly failed?: string;
}
type Values = Record<string, unknown>;

/**
 * Acts on each record by itself, in the order of the selection. What is done stays; what becomes of those after one that could
 * not be done is said by the interaction.
 */
export async function performChosen(
  controller: ResourceRequest,
  action: BulkAction,
  values: Values,
  ids: readonly string[],
): Promise<Turn[]> {
  const turns: Turn[] = [];
  for (const [at, id] of ids.entries()) {
    try {
      const turn = await perform(controller, action, values, id);
      turns.push(turn);
      if (action.interaction.onFailure !== "stop" || (turn.refused ?? turn.failed) === undefined) continue;
      turns.push(...ids.slice(at + 1).map((left): Turn => ({ id: left, refused: "stopped" })));
      break;
    } catch (error) {
      if (at === 0) throw error; // the database is away, and nothing is done
      const failed = messageOf(error);
      turns.push(...ids.slice(at).map((left) => ({ id: left, failed })));
      break;
    }
  }
  controller.record = undefined;
  return turns;
}

/** @throws HttpError 503 */
async function perform(controller: ResourceRequest, action: BulkAction, values: Values, sent: string): Promise<Turn> {
  const turn: { id: string | number; label?: string } = { id: sent };
  controller.record = undefined;
  try {
    const record = await findOnList(controller, action.interaction, { id: sent, ids: [sent], values });
    controller.record = record;
    Object.assign(turn, { id: ModelInfo.keyOf(record)!, label: labelOf(controller, record) });
    await authorizeTarget(controller, action);
    await execute(controller, action, values);
    return turn;
  } catch (error) {
    const problem = targetProblem(controller, error);
    return problem instanceof Refusal ? { ...turn, refused: problem.kind } : { ...turn, failed: problem };
  } finally {
    controller.reply = undefined; // one record's answer is not that of all
  }
}

async function execute(controller: ResourceRequest, { interaction }: BulkAction, values: Values): Promise<void> {
  const { database } = controller.resources;
  const limits = { until: controller.request.deadline, by: `the interaction "${interaction.name}"` };
  const record = controller.record as BaseModel;
  const [, done] = await database.transaction(
    (transaction) => executeIn(transaction, interaction, { controller, values }),
    limits,
  );
  try {
    await done.afterCommit();
  } catch (error) {
    const { log } = controller.request.application;
    log.error({ err: error, record: record.$id() }, `${interaction.name}.afterCommit() failed: ${messageOf(error)}`);
  }
}
