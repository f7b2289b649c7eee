import { setImmediate } from "node:timers/promises";
import { addToOrigin, HttpError, type ParamObject } from "framewright/host";
import {
  type BackgroundRuns,
  enter,
  finish,
  processedOf,
  type RunContent,
  type RunRow,
  SLICE_MS,
} from "framewright/plugins/background_runs";
import type { Transaction } from "framewright/plugins/database";
import type { BackgroundProblem, ResourceController } from "framewright/plugins/resources";
import { Refusal } from "framewright/plugins/resources/toolkit";
import { Problem, writeOne } from "./create_each.ts";
import { writeTogether } from "./create_together.ts";
import type { ItemProblem } from "./item_write.ts";
import { itemController } from "./items.ts";
import { valuesOf } from "./run_content.ts";

const MAX_PROBLEMS = 50;
const MAX_PROBLEM_CHARS = 300;

/** Works on a run from its place on, until it ends, or another job is to go on. @throws RunMovedError */
export async function advanceCreation(runs: BackgroundRuns, claimed: RunRow, content: RunContent): Promise<void> {
  addToOrigin({ means: "bulk" });
  let run = claimed;
  try {
    if (!valuesOf(content).continueOnError) return await createAll(runs, run, content);
    const { items } = valuesOf(content);
    const until = performance.now() + SLICE_MS;
    for (let at = processedOf(run); at < items.length; at++) {
      if (runs.isStopping || performance.now() > until) return await runs.handOver(run);
      run = await createNext(runs, run, content, items[at]!);
      await setImmediate(); // requests of this process have their turn between two records
    }
    await runs.end(run, "done");
  } catch (error) {
    if (error instanceof Refusal) return await finish(runs, run, error.kind);
    if (error instanceof HttpError && error.status < 500) return await finish(runs, run, "policy");
    await runs.release(run);
    throw error;
  }
}

/** A controller as a request of the person would have it now. @throws Refusal */
const entered = (runs: BackgroundRuns, run: RunRow, content: RunContent): Promise<ResourceController> =>
  enter(runs.parts, run, content, ({ request }) => {
    const { prefer } = valuesOf(content);
    if (prefer !== undefined) request.raw.headers.prefer = prefer;
  });

/** Creates one record; that it is there and the place of the run are committed together. */
async function createNext(runs: BackgroundRuns, run: RunRow, content: RunContent, item: ParamObject): Promise<RunRow> {
  const controller = await entered(runs, run, content);
  let moved = run;
  const mark = async (transaction: Transaction) => {
    moved = await runs.store.write(run, { ...runs.renewed(), done: run.done + 1 }, transaction);
  };
  const written = await writeOne(controller, itemController(controller, item), mark);
  if (!(written instanceof Problem)) return moved;
  const at = String(processedOf(run));
  const { reasons, problems } = runs.sealer.problems(run);
  const next = problems.length < MAX_PROBLEMS ? [...problems, problemOf(at, written.problem)] : problems;
  const sealed = runs.sealer.seal({ reasons, problems: next }, run);
  return runs.store.write(run, { ...runs.renewed(), failed: run.failed + 1, problems: sealed });
}

/** Creates all of them in one transaction, or none. */
async function createAll(runs: BackgroundRuns, run: RunRow, content: RunContent): Promise<void> {
  const { items } = valuesOf(content);
  if (processedOf(run) > 0) return void (await runs.end(run, "done")); // they are committed
  const controller = await entered(runs, run, content);
  await controller.authorizeAction("create");
  let moved = run;
  const mark = async (transaction: Transaction) => {
    moved = await runs.store.write(run, { ...runs.renewed(), done: items.length }, transaction);
  };
  try {
    const all = items.map((item) => itemController(controller, item));
    await writeTogether(controller, all, mark);
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 422) throw error;
    const { reasons } = runs.sealer.problems(run);
    const problems = Object.entries(error.fields ?? {}).map(([name, texts]): BackgroundProblem => {
      return { record: name.split(".", 1)[0]!, text: cut(`${name.replace(/^\d+\./, "")}: ${texts.join(", ")}`) };
    });
    const sealed = runs.sealer.seal({ reasons, problems: problems.slice(0, MAX_PROBLEMS) }, run);
    return void (await runs.end(run, "failed", undefined, { failed: items.length, problems: sealed }));
  }
  await runs.end(moved, "done");
}

const cut = (text: string): string => [...text].slice(0, MAX_PROBLEM_CHARS).join("");
const problemOf = (record: string, { message, errors }: ItemProblem): BackgroundProblem => {
  const texts = Object.entries(errors).map(([name, list]) =>
    name === "base" ? list.join(", ") : `${name}: ${list.join(", ")}`,
  );
  return { record, text: cut(texts.join("; ") || message) };
};
