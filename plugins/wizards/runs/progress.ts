import type { StepProgress, StepSpec, Visit } from "../contract/index.ts";
import { checkStep } from "../flow/check_flow.ts";
import type { StoredRun } from "./run.ts";
import { stepContextOf } from "./run_scope.ts";
import { isReachable } from "./step_position.ts";

/** Each visible step with its state; on the review step, the answers are validated again. */
export async function progress(visit: Visit, run: StoredRun): Promise<readonly StepProgress[]> {
  const { flow } = visit.mount.wizard;
  const context = stepContextOf(visit);
  const steps = flow.visible(run.staged, context);
  const place = steps.findIndex(({ key }) => key === run.cursor);
  const isReviewed = steps[place]?.review !== undefined;
  return Promise.all(
    steps.map(async (step, index) => {
      const visited = run.visited.includes(step.key);
      const current = index === place;
      const complete = await isComplete(visit, run, step, isReviewed);
      return { step, visited, complete, current, reachable: isReachable(run, steps, step.key) };
    }),
  );
}

async function isComplete(visit: Visit, run: StoredRun, step: StepSpec, thoroughly: boolean): Promise<boolean> {
  if (step.review) return run.state === "completed";
  const values = Object.hasOwn(run.staged, step.key) ? run.staged[step.key] : undefined;
  if (!values) return false;
  if (!thoroughly) return true;
  const answers = { flow: visit.mount.wizard.flow, staged: run.staged };
  const errors = await checkStep(step, values, stepContextOf(visit), { answers, persisted: run.persisted });
  return Object.keys(errors).length === 0;
}
