import { setImmediate } from "node:timers/promises";
import { messageOf } from "framewright/kernel";
import { type Database, isUncertain, type Transaction } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import type { BatchProblem, BatchResult } from "./contract.ts";
import { errors } from "./errors.ts";
import { problemOf } from "./problems.ts";

/** One of a batch, that was read and checked. */
export interface Step<T> {
  readonly controller: ResourceController;
  /** Does it; @throws what `problemOf` reads. */
  write(transaction: Transaction): Promise<T>;
  /** It is committed. */
  committed(this: void): Promise<void>;
  /** Nothing of it was written. */
  undone?(): Promise<void>;
}
export interface Batch<T> {
  readonly count: number;
  /** Reads and checks one, outside of a transaction. */
  prepare(index: number): Promise<Step<T>>;
  /** Whose transactions they are, in the log. */
  readonly by: string;
}

/** How many are done in one transaction, each with a controller of its own. */
const MAX_TOGETHER = 1_000;
const TIMEOUT_MS = 300_000;
const limitsOf = ({ by }: { by: string }) => ({ until: performance.now() + TIMEOUT_MS, by });

/** What is wrong with one of a batch. @throws errors that nobody expects */
function problemAt(index: number, controller: ResourceController | undefined, error: unknown): BatchProblem {
  const problem = problemOf(controller, error);
  if (!problem) throw error;
  return { index, ...problem };
}

/** Does each by itself. */
export async function performEach<T>(database: Database, batch: Batch<T>): Promise<BatchResult<T>> {
  const records: (T | undefined)[] = [];
  const problems: BatchProblem[] = [];
  for (let index = 0; index < batch.count; index++) {
    const { done, problem } = await performOne(database, batch, index);
    records.push(done);
    if (problem) problems.push(problem);
    await setImmediate(); // requests of this process have their turn between two
  }
  return { ok: problems.length === 0, records, problems };
}

async function performOne<T>(
  database: Database,
  batch: Batch<T>,
  index: number,
): Promise<{ done?: T; problem?: BatchProblem }> {
  let step: Step<T> | undefined;
  try {
    const ready = await batch.prepare(index);
    step = ready;
    const done = await database.transaction((transaction) => ready.write(transaction), limitsOf(batch));
    await finish(ready);
    return { done };
  } catch (error) {
    if (!isUncertain(error)) await step?.undone?.();
    return { problem: problemAt(index, step?.controller, error) };
  }
}

/** What was committed stays, whatever comes after it. */
async function finish<T>({ controller, committed }: Step<T>): Promise<void> {
  try {
    await committed();
  } catch (error) {
    const { log } = controller.request.application;
    log.error({ err: error }, `what comes after the commit of one of a batch failed: ${messageOf(error)}`);
  }
}

/** Does all in one transaction, or none. @throws FW_BATCH_SIZE */
export async function performTogether<T>(database: Database, batch: Batch<T>): Promise<BatchResult<T>> {
  if (batch.count > MAX_TOGETHER) throw errors.FW_BATCH_SIZE(batch.count, MAX_TOGETHER);
  const steps: Step<T>[] = [];
  const undo = async () => {
    for (const step of steps) await step.undone?.();
  };
  const problems: BatchProblem[] = [];
  try {
    for (let index = 0; index < batch.count; index++)
      await batch.prepare(index).then(
        (step) => void steps.push(step),
        (error: unknown) => void problems.push(problemAt(index, undefined, error)),
      );
    if (problems.length === 0) {
      const records = await database.transaction((transaction) => writeAll(steps, transaction), limitsOf(batch));
      for (const step of steps) await finish(step);
      return { ok: true, records, problems };
    }
  } catch (error) {
    if (!isUncertain(error)) await undo();
    if (!(error instanceof Stopped)) throw error;
    return noneOf(batch, [error.problem]);
  }
  await undo();
  return noneOf(batch, problems);
}

const noneOf = <T>({ count }: Batch<T>, problems: readonly BatchProblem[]): BatchResult<T> => ({
  ok: false,
  records: Array.from({ length: count }, () => undefined),
  problems,
});

/** Carries what one of them could not do out of the transaction of all, which it undoes. */
class Stopped extends Error {
  readonly problem: BatchProblem;
  constructor(problem: BatchProblem) {
    super("one of a batch can't be done");
    this.problem = problem;
  }
}

async function writeAll<T>(steps: readonly Step<T>[], transaction: Transaction): Promise<T[]> {
  const records: T[] = [];
  for (const [index, step] of steps.entries())
    records.push(
      await step.write(transaction).catch((error: unknown) => {
        throw new Stopped(problemAt(index, step.controller, error));
      }),
    );
  return records;
}
