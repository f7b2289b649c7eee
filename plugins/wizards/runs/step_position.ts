import type { Notice, Run, RunOutcome, StepContext, StepResult, StepSpec, WizardFlow } from "../contract/index.ts";
import type { StoredRun } from "./run.ts";
import { stepLabelOf } from "./upkeep/migrate_steps.ts";

const emptyOutcome: RunOutcome = { location: undefined, message: undefined };
export const doneResult = (run: Run): StepResult => ({ kind: "done", run, outcome: run.outcome ?? emptyOutcome });
export const goneResult: StepResult = { kind: "gone" };
export const cursorResult = (run: Run, ...notices: Notice[]): StepResult => ({
  kind: "step",
  run,
  step: run.cursor,
  ...(notices.length > 0 ? { notices } : {}),
});

/** A step by its key, or by a former key. */
export const findStep = (flow: WizardFlow, key: string): StepSpec | undefined =>
  flow.step(key) ?? flow.steps.find(({ was }) => was.includes(key));

/** The redirect for a step that was removed, is hidden, or was not reached yet; undefined when it may be shown. */
export function redirectFor(
  flow: WizardFlow,
  run: StoredRun,
  key: string,
  context: StepContext,
): StepResult | undefined {
  const step = findStep(flow, key);
  if (!step) {
    const wasThere = Object.hasOwn(JSON.parse(run.row.schema_map) as object, key);
    return wasThere
      ? cursorResult(run, { text: "wizards.notices.step_gone", vars: { step: stepLabelOf(flow, key) } })
      : goneResult;
  }
  const vars = { step: stepLabelOf(flow, step.key) };
  if (!flow.visible(run.staged, context).includes(step))
    return cursorResult(run, { text: "wizards.notices.step_hidden", vars });
  const isReached = run.cursor === step.key || run.visited.includes(step.key);
  return isReached ? undefined : cursorResult(run, { text: "wizards.notices.step_ahead", vars });
}

/** The key of the visible step after (1) or before (-1) another one. */

export function adjacentStep(
  flow: WizardFlow,
  run: Pick<Run, "staged">,
  key: string,
  context: StepContext,
  by: 1 | -1,
) {
  const visible = flow.visible(run.staged, context).map((step) => step.key);
  return visible[visible.indexOf(key) + by];
}
