import { localeOf } from "framewright/host";
import type { FieldContext } from "framewright/plugins/fields";
import {
  addEditors,
  drawChoices,
  hiddenValue,
  isMultipart,
  typedFieldValue,
  walkFields,
} from "framewright/plugins/fields/rows";
import type { FieldScope, FieldSpec, Run, StepProgress, StepSpec, StepValues } from "../contract/index.ts";
import { errorList, stepFields, stepNodes, withTexts } from "../fields/step_form.ts";
import { importOf } from "../flow/flow_steps.ts";
import { type StepPageOptions, textOf } from "./frame.ts";
import type { PageContext } from "./open_request.ts";
import { stepPath } from "./redirects.ts";
import { choiceSource, reviewLocals, stepScope } from "./review.ts";

/** The locals of a step's content: its fields, or what the review shows. */
export async function stepContent(
  context: PageContext,
  run: Run,
  step: StepSpec,
  progress: readonly StepProgress[],
  { errors = {}, typed }: StepPageOptions,
): Promise<Record<string, unknown>> {
  const t = context.controller.t.bind(context.controller);
  const scope = stepScope(context, run, step);
  const values = run.staged[step.key] ?? initialValues(step, scope);
  const draft = run.drafts[step.key];
  const { timeZone, locale: language } = context.controller.request;
  const locale = localeOf(language);
  const form = {
    step,
    values,
    typed: typed ?? draft,
    draft,
    errors,
    scope,
    t,
    timeZone,
    locale,
    textOf: textOf(context),
  };
  const nodes = withTexts(stepNodes(form), t);
  const content = { error_summary: errorList(form, nodes), multipart: isMultipart(step.fields) };
  if (step.review) return Object.assign(content, await reviewLocals(context, run, step.review, { scope, progress }));
  addEditors(context.controller, nodes);
  const url = stepPath(context.visit, run, step.key);
  await drawChoices(nodes, choiceSource(context), (path) => `${url}?_search=${encodeURIComponent(path)}`);
  return Object.assign(content, { fields: stepFields(form, nodes) });
}

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
