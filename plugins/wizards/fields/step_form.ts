import type { ParamObject, Params, SafeHtml } from "framewright/host";
import { html } from "framewright/host";
import { dynamicParts, errorSummary, type Translate } from "framewright/plugins/fields";
import {
  applyRowButtons,
  drawFormFields,
  type FilledFields,
  idOf,
  type Node,
  nodesOf,
  slotsOf,
  textsFor,
  viewsOf,
} from "framewright/plugins/fields/rows";
import type { StepSpec } from "../contract/index.ts";

/** What the names of a step's inputs begin with. */
const KEY = "wizard";

/** The values of a step's form. */
export interface StepFormValues extends Omit<FilledFields, "key" | "fields"> {
  readonly step: Pick<StepSpec, "fields">;
}
export interface StepForm extends StepFormValues {
  readonly t: Translate;
}

/** The elements of a step's form. */
export const stepNodes = ({ step, ...filled }: StepFormValues): Node[] =>
  nodesOf({ ...filled, key: KEY, fields: step.fields });

/** The elements with the labels, hints and placeholders that functions return. */
export function withTexts(nodes: readonly Node[], t: Translate): readonly Node[] {
  for (const node of nodes) {
    if (node.kind === "field") Object.assign(node.view, textsFor(node.spec.options, { ...node.context, t }));
    else if (node.kind === "slot") withTexts(node.node ? [node.node] : [], t);
    else if (node.kind === "group") withTexts(node.nodes, t);
    else if (node.kind === "rows") {
      Object.assign(node, node.texts?.(t));
      for (const row of [...node.rows, ...(node.blank ? [node.blank] : [])]) withTexts(row.nodes, t);
    }
  }
  return nodes;
}

/** The inputs of a step, filled with the typed input, else with the stored answers; works without JavaScript. */
export const stepFields = (form: StepForm, nodes: readonly Node[] = stepNodes(form)): SafeHtml =>
  html`${drawFormFields(nodes, form.t)}${dynamicParts(slotsOf(nodes), KEY, form.t)}`;

/** The error summary: each error with a link to its field. */
export function errorList(form: StepForm, nodes: readonly Node[] = stepNodes(form)): SafeHtml {
  const views = viewsOf(nodes, form.t);
  const ids = new Set(views.map(({ id }) => id));
  const loose = Object.entries(form.errors ?? {}).filter(([path]) => !ids.has(idOf(KEY, path)));
  return errorSummary({
    fields: views,
    errors: loose.flatMap(([path, messages]) => errorSentences(path, messages)),
    t: form.t,
  });
}

/** An error whose field is not shown is prefixed with the field's path. */
const errorSentences = (path: string, messages: readonly string[]): string[] =>
  messages.map((message) => (path === "base" ? message : `${path} ${message}`));

/** The typed input as a button of the step's rows changes it; undefined if none was pressed. `params` is the whole body. */
export const pressedInput = (
  step: Pick<StepSpec, "fields">,
  typed: Pick<Params, "toObject">,
  params: Pick<Params, "get">,
): ParamObject | undefined => applyRowButtons(step.fields, typed.toObject(), params);
