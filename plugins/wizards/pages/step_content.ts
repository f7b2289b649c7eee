import type { BaseModel } from "framewright/plugins/database";
import { details } from "framewright/plugins/resources";
import type { Run, StepProgress, StepSpec, StepValues } from "../contract/index.ts";
import { errorList, isMultipart, stepFields } from "../fields/step_form.ts";
import { stepSummary } from "../fields/summary.ts";
import { usingOf } from "../flow/flow_steps.ts";
import type { Entered } from "./open_request.ts";
import { stepPath } from "./redirects.ts";
import { labelOf, type StepShown } from "./step_page.ts";

/** The inner part of a step: its fields, filled, or everything that was answered. */
export function stepContent(
  entered: Entered,
  run: Run,
  step: StepSpec,
  progress: readonly StepProgress[],
  { errors = {}, typed }: StepShown,
): Record<string, unknown> {
  const t = entered.controller.t.bind(entered.controller);
  const values = run.staged[step.key] ?? beginning(step, entered.visit.anchor);
  const draft = run.drafts[step.key];
  const form = { step, values, typed: typed ?? draft, draft, errors, t };
  const content = { error_summary: errorList(form), multipart: isMultipart(step) };
  if (step.review) return { ...content, parts: parts(entered, run, progress) };
  return { ...content, fields: stepFields(form) };
}

/** A step that asks for attributes of the very record that the wizard is about begins with what the record has. */
function beginning(step: StepSpec, anchor: BaseModel | undefined): StepValues | undefined {
  const using = usingOf(step);
  if (!using || !(anchor instanceof using.model)) return undefined;
  const record = anchor as unknown as Record<string, unknown>;
  const values = step.fields.map(({ name, model, options }) => [name, model ? stored(record[model]) : options.default]);
  return Object.fromEntries(values) as StepValues;
}
const stored = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/** Each answered step with its answers, and a link to change them. */
function parts({ controller, visit }: Entered, run: Run, progress: readonly StepProgress[]) {
  const t = controller.t.bind(controller);
  return progress
    .filter(({ step }) => !step.review)
    .map(({ step, reachable }) => ({
      label: labelOf(step),
      summary: details({
        items: stepSummary(step, run.staged[step.key] ?? {}, t).map((one) => ({ name: one.label, ...one })),
      }),
      url: reachable ? stepPath(visit, run, step.key) : undefined,
    }));
}
