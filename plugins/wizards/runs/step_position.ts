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
  const visible = flow.visible(run.staged, context);
  if (!visible.includes(step)) return cursorResult(run, { text: "wizards.notices.step_hidden", vars });
  return isReachable(run, visible, step.key)
    ? undefined
    : cursorResult(run, { text: "wizards.notices.step_ahead", vars });
}

/** Whether a visible step may be opened: it was visited and, if it comes after the cursor, so were the steps between. */
export function isReachable(run: Pick<Run, "cursor" | "visited">, visible: readonly StepSpec[], key: string): boolean {
  const keys = visible.map((step) => step.key);
  const [place, index] = [keys.indexOf(run.cursor), keys.indexOf(key)];
  if (index === place) return true;
  return keys.slice(Math.min(place + 1, index), index + 1).every((one) => run.visited.includes(one));
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
