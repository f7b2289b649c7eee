import type { BaseModel } from "framewright/plugins/database";
import { details } from "framewright/plugins/resources";
import type { Run, StepProgress, StepSpec, StepValues } from "../contract/index.ts";
import { errorList, isMultipart, stepFields } from "../fields/step_form.ts";
import { stepSummary } from "../fields/summary.ts";
import { importOf } from "../flow/flow_steps.ts";
import { type StepPageOptions, stepLabel } from "./frame.ts";
import type { PageContext } from "./open_request.ts";
import { stepPath } from "./redirects.ts";

/** The locals of a step's content: its fields, or on the review step all answers. */
export function stepContent(
  context: PageContext,
  run: Run,
  step: StepSpec,
  progress: readonly StepProgress[],
  { errors = {}, typed }: StepPageOptions,
): Record<string, unknown> {
  const t = context.controller.t.bind(context.controller);
  const values = run.staged[step.key] ?? initialValues(step, context.visit.anchor);
  const draft = run.drafts[step.key];
  const form = { step, values, typed: typed ?? draft, draft, errors, t };
  const content = { error_summary: errorList(form), multipart: isMultipart(step) };
  if (step.review) return { ...content, parts: reviewParts(context, run, progress) };
  return { ...content, fields: stepFields(form) };
}

/** A step that imports attributes of the anchor's model starts with the anchor's values. */
function initialValues(step: StepSpec, anchor: BaseModel | undefined): StepValues | undefined {
  const using = importOf(step);
  if (!using || !(anchor instanceof using.model)) return undefined;
  const record = anchor as unknown as Record<string, unknown>;
  const values = step.fields.map(({ name, model, options }) => [name, model ? stored(record[model]) : options.default]);
  return Object.fromEntries(values) as StepValues;
}
const stored = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/** Each step with its answers, and a link to change them. */
function reviewParts({ controller, visit }: PageContext, run: Run, progress: readonly StepProgress[]) {
  const t = controller.t.bind(controller);
  return progress
    .filter(({ step }) => !step.review)
    .map(({ step, reachable }) => ({
      label: stepLabel(step),
      summary: details({
        items: stepSummary(step, run.staged[step.key] ?? {}, t).map((one) => ({ name: one.label, ...one })),
      }),
      url: reachable ? stepPath(visit, run, step.key) : undefined,
    }));
}
