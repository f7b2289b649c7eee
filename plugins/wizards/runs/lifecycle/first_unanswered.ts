import type { Transaction } from "framewright/plugins/database";
import type { StepContext, WizardFlow } from "../../contract/index.ts";
import { checkStep } from "../../flow/check_flow.ts";
import type { RunContent } from "../run.ts";

/** What the steps of a run are checked with. */
interface Checked {
  readonly flow: WizardFlow;
  readonly context: StepContext;
  readonly transaction: Transaction | undefined;
  /** A step that does not count as visited has to be submitted again, although it has answers. */
  readonly mustBeVisited?: boolean;
}

/** The first visible step whose answers are absent or not valid; undefined when the review can show them all. */
export async function firstUnanswered(
  { staged, persisted, visited }: RunContent,
  { flow, context, transaction, mustBeVisited = false }: Checked,
): Promise<string | undefined> {
  for (const step of flow.visible(staged, context)) {
    if (step.review) continue;
    const values = Object.hasOwn(staged, step.key) ? staged[step.key] : undefined;
    if (!values || (mustBeVisited && !visited.includes(step.key))) return step.key;
    const errors = await checkStep(step, values, context, { transaction, answers: { flow, staged }, persisted });
    if (Object.keys(errors).length > 0) return step.key;
  }
  return undefined;
}
