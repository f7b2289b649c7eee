import { messageOf } from "framewright/kernel";
import { type BaseModel, ModelInfo, type Transaction, type TransactionOptions } from "framewright/plugins/database";
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

/** What became of a record: it was done by an interaction, or could not be. */
export interface Turn {
  readonly id: string;
  readonly interaction?: Interaction;
  readonly problem?: Refusal | string;
}
type Transact = <T>(work: (transaction: Transaction) => Promise<T>, options: TransactionOptions) => Promise<T>;

/**
 * Gives one record its turn: what is done to it and the cursor are committed together. What can't be done to it is counted, and
 * the run goes on.
 * @throws RunMovedError, a Refusal of kind "account" or "entry", and errors of a database that is unavailable
 */
export async function performRecord(runs: BackgroundRuns, run: RunRow, about: RunAction, id: string): Promise<RunRow> {
  let moved = run;
  const turn = await takeTurn(runs, run, about, id, (work, limits) =>
    runs.database.transaction(async (transaction) => {
      moved = await runs.store.write(run, { ...runs.renewed(), cursor_id: id, done: run.done + 1 }, transaction);
      return work(transaction);
    }, limits),
  );
  if (!turn.interaction) return moveBy(runs, run, [turn]);
  await afterCommit(runs, run, turn.interaction);
  return moved;
}

/** Acts on a record as a request of the person for this record alone. @throws as performRecord */
export async function takeTurn(
  runs: BackgroundRuns,
  run: RunRow,
  about: RunAction,
  id: string,
  transact: Transact,
): Promise<Turn> {
  const controller = await enter(runs.parts, run, about.content);
  const { fieldTypes } = controller.resources;
  const values = { ...valuesOf(about.content, about.interaction.attributes, fieldTypes), ...about.files };
  const limits = { until: controller.request.deadline, by: `the interaction "${about.interaction.name}"` };
  try {
    const interaction = await transact(async (transaction) => {
      controller.record = await findTarget(controller, about, { id, values, transaction });
      await authorizeTarget(controller, about.action);
      await checkChoices(controller, about, values, transaction);
      return (await executeIn(transaction, about.interaction, { controller, values }))[1];
    }, limits);
    return { id, interaction };
  } catch (error) {
    if (error instanceof RunMovedError) throw error;
    return { id, problem: targetProblem(controller, error) };
  }
}

/** What was committed stays, whatever comes after it. */
export async function afterCommit({ log }: BackgroundRuns, { id }: RunRow, interaction: Interaction): Promise<void> {
  try {
    await interaction.afterCommit();
  } catch (error) {
    log.error({ err: error, run: id }, `${interaction.constructor.name}.afterCommit() failed: ${messageOf(error)}`);
  }
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

/** Moves the cursor past records that had their turn, and counts what became of them. @throws RunMovedError */
export function moveBy(runs: BackgroundRuns, run: RunRow, turns: readonly Turn[]): Promise<RunRow> {
  let { done, refused, failed } = run;
  const { reasons, problems, ...rest } = runs.sealer.problems(run);
  const [counted, listed] = [{ ...reasons }, [...problems]];
  for (const { id, problem } of turns) {
    if (problem === undefined) done++;
    else if (problem instanceof Refusal) {
      refused++;
      counted[problem.kind] = (counted[problem.kind] ?? 0) + 1;
    } else {
      failed++;
      const one: BackgroundProblem = { record: id, text: [...problem].slice(0, MAX_PROBLEM_CHARS).join("") };
      if (listed.length < MAX_PROBLEMS) listed.push(one);
    }
  }
  const isSealed = done - run.done < turns.length;
  const sealed = isSealed ? { problems: runs.sealer.seal({ ...rest, reasons: counted, problems: listed }, run) } : {};
  return runs.store.write(run, { ...runs.renewed(), cursor_id: turns.at(-1)!.id, done, refused, failed, ...sealed });
}
