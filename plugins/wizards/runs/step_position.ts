import type { FlowFace, Move, Notice, Run, RunOutcome, StepContext, StepSpec } from "../contract/index.ts";
import type { OpenRun } from "./run.ts";
import { labelOf } from "./upkeep/migrate_steps.ts";

const nowhere: RunOutcome = { location: undefined, message: undefined };
export const done = (run: Run): Move => ({ kind: "done", run, outcome: run.outcome ?? nowhere });
export const gone: Move = { kind: "gone" };
export const toCursor = (run: Run, ...notices: Notice[]): Move => ({
  kind: "step",
  run,
  step: run.cursor,
  ...(notices.length > 0 ? { notices } : {}),
});

/** A step by its name, or by a former one. */
export const stepNamed = (flow: FlowFace, key: string): StepSpec | undefined =>
  flow.step(key) ?? flow.steps.find(({ was }) => was.includes(key));

/** Where a visit of this step is sent instead: it is gone, hidden, or was not reached yet. Undefined when it may stay. */
export function elsewhere(flow: FlowFace, run: OpenRun, key: string, context: StepContext): Move | undefined {
  const step = stepNamed(flow, key);
  if (!step) {
    const wasThere = Object.hasOwn(JSON.parse(run.row.schema_map) as object, key);
    return wasThere ? toCursor(run, { text: "wizards.notices.step_gone", vars: { step: labelOf(flow, key) } }) : gone;
  }
  const vars = { step: labelOf(flow, step.key) };
  if (!flow.visible(run.staged, context).includes(step))
    return toCursor(run, { text: "wizards.notices.step_hidden", vars });
  const isReached = run.cursor === step.key || run.visited.includes(step.key);
  return isReached ? undefined : toCursor(run, { text: "wizards.notices.step_ahead", vars });
}

/** The visible step after one, or before it. */
export function neighbour(flow: FlowFace, run: Pick<Run, "staged">, key: string, context: StepContext, by: 1 | -1) {
  const visible = flow.visible(run.staged, context).map((step) => step.key);
  return visible[visible.indexOf(key) + by];
}
