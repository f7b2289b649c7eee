import { localeOf } from "framewright/host";
import { queryPlace } from "framewright/plugins/database";
import { details, type FieldSource } from "framewright/plugins/fields";
import { fieldsSummary, textsFor } from "framewright/plugins/fields/rows";
import { fieldSource } from "framewright/plugins/resources";
import type { FieldScope, ReviewData, ReviewSpec, Run, StepProgress, StepSpec } from "../contract/index.ts";
import { stepContextOf } from "../runs/run_scope.ts";
import { stepLabel, textOf } from "./frame.ts";
import type { PageContext } from "./open_request.ts";
import { stepPath } from "./redirects.ts";

/** What there is to choose from in a wizard's fields. */
export const choiceSource = ({ controller, visit }: PageContext): FieldSource => fieldSource(controller, visit.anchor);
export const stepScope = ({ mount, visit }: PageContext, { staged }: Run, { key }: StepSpec): FieldScope =>
  mount.wizard.flow.scope(key, staged, stepContextOf(visit));

/** The locals of the review: the wizard's own content, and the answers of the steps unless its summary is off. */
export async function reviewLocals(
  context: PageContext,
  run: Run,
  { summary, content }: ReviewSpec,
  { scope, progress }: { scope: FieldScope; progress: readonly StepProgress[] },
): Promise<Record<string, unknown>> {
  return {
    review_content: await content?.(reviewData(context, scope)),
    parts: summary ? await reviewParts(context, run, progress) : [],
  };
}

function reviewData({ controller }: PageContext, scope: FieldScope): ReviewData {
  const { currentUser, currentScopedEntity, anchor, data } = scope;
  const database = controller.request.kernel.service("database");
  const query: ReviewData["query"] = (model) => database.queryIn(queryPlace(controller), model);
  return { currentUser, currentScopedEntity, anchor, data, query };
}

/** Each step with its answers, and a link to change them. */
function reviewParts(context: PageContext, run: Run, progress: readonly StepProgress[]) {
  const t = context.controller.t.bind(context.controller);
  const source = choiceSource(context);
  const { timeZone, locale: language } = context.controller.request;
  const locale = localeOf(language);
  const words = textOf(context);
  const steps = progress.filter(({ step }) => !step.review);
  return Promise.all(
    steps.map(async ({ step, reachable }) => {
      const scope = stepScope(context, run, step);
      const fields = step.fields.map((field) => {
        const { label } = textsFor(field.options, { ...scope, t });
        return label === undefined ? field : { ...field, options: { ...field.options, label } };
      });
      const items = await fieldsSummary(fields, run.staged[step.key] ?? {}, t, {
        scope,
        source,
        timeZone,
        locale,
        textOf: words,
      });
      return {
        label: stepLabel(context, step),
        summary: details({ items: items.map((one) => ({ name: one.label, ...one })) }),
        url: reachable ? stepPath(context.visit, run, step.key) : undefined,
      };
    }),
  );
}
