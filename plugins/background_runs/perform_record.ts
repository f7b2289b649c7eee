import { messageOf } from "framewright/kernel";
import { type BaseModel, ModelInfo, type Transaction } from "framewright/plugins/database";
import type { BackgroundProblem, Interaction, ResourceController } from "framewright/plugins/resources";
import {
  authorizeTarget,
  executeIn,
  findOnList,
  isDenial,
  Refusal,
  targetProblem,
} from "framewright/plugins/resources/toolkit";
import { checkChoices } from "./check_choices.ts";
import { valuesOf } from "./content.ts";
import type { BackgroundRuns } from "./contract.ts";
import { enter, type RunAction } from "./enter.ts";
import type { RunRow } from "./run.ts";
import { RunMovedError } from "./store.ts";

const MAX_PROBLEMS = 50;
const MAX_PROBLEM_CHARS = 300;

/**
 * Gives one record its turn, as a request of the person for this record alone: what is done to it and the cursor are
 * committed together. What can't be done to it is counted, and the run goes on.
 * @throws RunMovedError, a Refusal of kind "account" or "entry", and errors of a database that is unavailable
 */
export async function performRecord(runs: BackgroundRuns, run: RunRow, about: RunAction, id: string): Promise<RunRow> {
  const controller = await enter(runs.parts, run, about.content);
  const { fieldTypes } = controller.resources;
  const values = { ...valuesOf(about.content, about.interaction.attributes, fieldTypes), ...about.files };
  const limits = { until: controller.request.deadline, by: `the interaction "${about.interaction.name}"` };
  let moved: RunRow;
  let interaction: Interaction;
  try {
    [moved, interaction] = await runs.database.transaction(async (transaction) => {
      const next = await runs.store.write(run, { ...runs.renewed(), cursor_id: id, done: run.done + 1 }, transaction);
      controller.record = await findTarget(controller, about, { id, values, transaction });
      await authorizeTarget(controller, about.action);
      await checkChoices(controller, about, values, transaction);
      return [next, (await executeIn(transaction, about.interaction, { controller, values }))[1]] as const;
    }, limits);
  } catch (error) {
    if (error instanceof RunMovedError) throw error;
    return countProblem(runs, run, id, targetProblem(controller, error));
  }
  try {
    await interaction.afterCommit();
  } catch (error) {
    runs.log.error({ err: error, run: run.id }, `${about.interaction.name}.afterCommit() failed: ${messageOf(error)}`);
  }
  return moved;
}

interface Target {
  id: string;
  values: Record<string, unknown>;
  transaction: Transaction;
}

/** @throws Refusal */
async function findTarget(
  controller: ResourceController,
  { onList, interaction, content }: RunAction,
  { id, values, transaction }: Target,
): Promise<BaseModel> {
  if (!onList) {
    const found = await controller.findRecord([], transaction).catch((error: unknown) => {
      throw isDenial(error) ? new Refusal("gone") : error;
    });
    if (content.record !== undefined && String(ModelInfo.keyOf(found)) !== content.record) throw new Refusal("gone");
    return found;
  }
  return findOnList(controller, interaction, { id, ids: content.ids, values, transaction });
}

/** Moves the cursor past a record that was not done. */
function countProblem(runs: BackgroundRuns, run: RunRow, id: string, problem: Refusal | string): Promise<RunRow> {
  const { reasons, problems } = runs.sealer.problems(run);
  const next = { ...runs.renewed(), cursor_id: id };
  if (problem instanceof Refusal) {
    const counted = { ...reasons, [problem.kind]: (reasons[problem.kind] ?? 0) + 1 };
    const sealed = runs.sealer.seal({ reasons: counted, problems }, run);
    return runs.store.write(run, { ...next, refused: run.refused + 1, problems: sealed });
  }
  const one: BackgroundProblem = { record: id, text: [...problem].slice(0, MAX_PROBLEM_CHARS).join("") };
  const sealed =
    problems.length < MAX_PROBLEMS ? runs.sealer.seal({ reasons, problems: [...problems, one] }, run) : run.problems;
  return runs.store.write(run, { ...next, failed: run.failed + 1, problems: sealed });
}
