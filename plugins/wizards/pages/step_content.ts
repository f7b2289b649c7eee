import { details, type FieldContext, FieldSource } from "framewright/plugins/resources";
import type { FieldScope, FieldSpec, Run, StepProgress, StepSpec, StepValues } from "../contract/index.ts";
import { drawChoices } from "../fields/draw_choices.ts";
import { nodesOf } from "../fields/nodes.ts";
import { errorList, isMultipart, stepFields } from "../fields/step_form.ts";
import { stepSummary } from "../fields/summary.ts";
import { importOf } from "../flow/flow_steps.ts";
import { typedFieldValue } from "../flow/read_step.ts";
import { hiddenValue, walkFields } from "../flow/values.ts";
import { stepContextOf } from "../runs/run_scope.ts";
import { type StepPageOptions, stepLabel } from "./frame.ts";
import type { PageContext } from "./open_request.ts";
import { stepPath } from "./redirects.ts";

/** The locals of a step's content: its fields, or on the review step all answers. */
export async function stepContent(
  context: PageContext,
  run: Run,
  step: StepSpec,
  progress: readonly StepProgress[],
  { errors = {}, typed }: StepPageOptions,
): Promise<Record<string, unknown>> {
  const t = context.controller.t.bind(context.controller);
  const scope = scopeOf(context, run, step);
  const values = run.staged[step.key] ?? initialValues(step, scope);
  const draft = run.drafts[step.key];
  const form = { step, values, typed: typed ?? draft, draft, errors, scope, t };
  const nodes = nodesOf(form);
  const content = { error_summary: errorList(form, nodes), multipart: isMultipart(step) };
  if (step.review) return { ...content, parts: await reviewParts(context, run, progress) };
  await drawChoices(nodes, sourceOf(context), stepPath(context.visit, run, step.key));
  return { ...content, fields: stepFields(form, nodes) };
}

const sourceOf = ({ controller, visit }: PageContext) => new FieldSource(controller, visit.anchor);
const scopeOf = ({ mount, visit }: PageContext, { staged }: Run, { key }: StepSpec): FieldScope =>
  mount.wizard.flow.scope(key, staged, stepContextOf(visit));

/** A step that imports attributes of the anchor's model starts with the anchor's values. */
function initialValues(step: StepSpec, scope: FieldScope): StepValues | undefined {
  const using = importOf(step);
  if (!using || !(scope.anchor instanceof using.model)) return undefined;
  const record = scope.anchor as unknown as Record<string, unknown>;
  const values: StepValues = {};
  walkFields(step.fields, scope, (field, context, isShown) => {
    const own = () => (field.model ? stored(record[field.model]) : initialValue(field, { ...scope, ...context }));
    values[field.name] = isShown ? own() : hiddenValue(field);
    return values[field.name];
  });
  return values;
}
const initialValue = (field: FieldSpec, context: FieldContext & FieldScope): unknown =>
  typedFieldValue(field, {}, {}, context);
const stored = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/** Each step with its answers, and a link to change them. */
function reviewParts(context: PageContext, run: Run, progress: readonly StepProgress[]) {
  const t = context.controller.t.bind(context.controller);
  const source = sourceOf(context);
  const steps = progress.filter(({ step }) => !step.review);
  return Promise.all(
    steps.map(async ({ step, reachable }) => {
      const scope = scopeOf(context, run, step);
      const items = await stepSummary(step, run.staged[step.key] ?? {}, t, { scope, source });
      return {
        label: stepLabel(step),
        summary: details({ items: items.map((one) => ({ name: one.label, ...one })) }),
        url: reachable ? stepPath(context.visit, run, step.key) : undefined,
      };
    }),
  );
}
