import { html, raw, type SafeHtml, singularize } from "framewright/host";
import { errorSummary, type FieldView, field, type Translate } from "framewright/plugins/resources";
import { sizeText } from "framewright/plugins/storage";
import type { FieldSpec, StagedFile } from "../contract/index.ts";
import { LIST } from "../flow/read_step.ts";
import { type FieldNode, type Filling, type GroupNode, idOf, type Node, nodesOf, type RepeatedNode } from "./nodes.ts";

export interface StepForm extends Filling {
  readonly t: Translate;
}

/** The inputs of a step, filled with what was typed, else with what is kept; works without JavaScript. */
export function stepFields(form: StepForm): SafeHtml {
  return fields(nodesOf(form), form.t);
}

/** What is wrong, each with a link to its field. */
export function errorList(form: StepForm): SafeHtml {
  const nodes = nodesOf(form);
  const views = viewsOf(nodes, form.t);
  const ids = new Set(views.map(({ id }) => id));
  const loose = Object.entries(form.errors ?? {}).filter(([path]) => !ids.has(idOf({ path })));
  return errorSummary({
    fields: views,
    errors: loose.flatMap(([path, messages]) => sentence(path, messages)),
    t: form.t,
  });
}

/** An error of no field that is shown says what it is about. */
const sentence = (path: string, messages: readonly string[]): string[] =>
  messages.map((message) => (path === "base" ? message : `${path} ${message}`));

/** Whether the form has to be sent as multipart: it asks for a file somewhere. */
export const isMultipart = ({ fields }: { readonly fields: readonly FieldSpec[] }): boolean =>
  fields.some((one) => one.type === "file" || isMultipart(one));

const fields = (nodes: readonly Node[], t: Translate): SafeHtml =>
  html`<div class="fw-fields">${nodes.map((node) => part(node, t))}</div>`;

function part(node: Node, t: Translate): SafeHtml {
  if (node.kind === "group") return group(node, t);
  return node.kind === "repeated" ? repeated(node, t) : input(node, t);
}

function input(node: FieldNode, t: Translate): SafeHtml {
  const { spec, view, kept } = node;
  if (kept === undefined && spec.type !== "file") return field(view, t);
  const notes = [view.hint, limit(spec, t), kept && t(`wizards.fields.keep_${spec.type}`)];
  const hint = notes.filter(Boolean).join(" ");
  const shown = field(hint === "" ? view : { ...view, hint }, t);
  if (kept === undefined || kept === "password") return shown;
  return html`<div class="fw-field-wide fw-file">${shown}${keptFile(kept, node, t)}</div>`;
}

const limit = ({ type, options }: FieldSpec, t: Translate): string | undefined =>
  type === "file" && options.maximum !== undefined
    ? t("wizards.fields.at_most", { size: sizeText(options.maximum) })
    : undefined;

function keptFile({ filename, size }: StagedFile, node: FieldNode, t: Translate): SafeHtml {
  const { removeName, isRemoved, reference } = node;
  const { id, label } = node.view;
  const drafted = reference && html`<input type="hidden" name="${reference.name}" value="${reference.value}">`;
  const checked = isRemoved && raw(" checked");
  const remove = t("wizards.fields.remove_file");
  return html`<div class="fw-file-kept">${drafted}<span>${filename} <small>(${sizeText(size)})</small></span><label class="form-check"><input type="checkbox" class="form-check-input" id="${id}_remove" name="${removeName}" value="1"${checked}><span class="form-check-label">${remove}<span class="visually-hidden">: ${label}</span></span></label></div>`;
}

const about = ({ id, errors, hint }: GroupNode | RepeatedNode): SafeHtml =>
  html`${errors.length > 0 && html`<p class="invalid-feedback fw-field-errors" id="${id}_errors">${errors.join(", ")}</p>`}${hint !== undefined && html`<small class="form-hint">${hint}</small>`}`;

function group(node: GroupNode, t: Translate): SafeHtml {
  return html`<fieldset class="fw-group fw-field-wide" id="${node.id}"><legend class="form-label">${node.label}</legend>${about(node)}${fields(node.nodes, t)}</fieldset>`;
}

/** Each entry with a button that takes it out, and one button that adds an entry; both send the form as it stands. */
function repeated(node: RepeatedNode, t: Translate): SafeHtml {
  const { id, label, path, inputName, entries, isFull } = node;
  const add = html`<button class="btn btn-sm" name="_add" value="${path}" formnovalidate>${t("wizards.fields.add")}<span class="visually-hidden">: ${label}</span></button>`;
  return html`<fieldset class="fw-group fw-repeated fw-field-wide" id="${id}" tabindex="-1"><legend class="form-label">${label}</legend>${about(node)}<input type="hidden" name="${inputName}[${LIST}]" value="1">${entries.map((_, index) => entry(node, index, t))}${!isFull && add}</fieldset>`;
}

function entry({ id, label, path, inputName, entries }: RepeatedNode, index: number, t: Translate): SafeHtml {
  const { was, nodes } = entries[index]!;
  const legend = t("wizards.fields.entry", { label: singularize(label), number: index + 1 });
  const kept = was !== undefined && html`<input type="hidden" name="${inputName}[${index}][_was]" value="${was}">`;
  const remove = html`<button class="btn btn-sm btn-ghost-danger" name="_remove" value="${path}.${index}" formnovalidate>${t("wizards.fields.remove")}<span class="visually-hidden">: ${legend}</span></button>`;
  return html`<fieldset class="fw-group fw-entry" id="${id}-${index}"><legend class="form-label">${legend}</legend>${kept}${fields(nodes, t)}${remove}</fieldset>`;
}

/** Inputs as they stand one after the other, groups and lists with what is wrong with them as a whole. */
function viewsOf(nodes: readonly Node[], t: Translate): FieldView[] {
  return nodes.flatMap((node) => {
    if (node.kind === "field") return [node.view];
    if (node.kind === "group") return [wholeOf(node), ...viewsOf(node.nodes, t)];
    return [wholeOf(node), ...node.entries.flatMap((one, index) => entryViews(node, one.nodes, index, t))];
  });
}

/** Away from its entry a field says which one it is of. */
function entryViews({ label }: RepeatedNode, nodes: readonly Node[], index: number, t: Translate): FieldView[] {
  const legend = t("wizards.fields.entry", { label: singularize(label), number: index + 1 });
  return viewsOf(nodes, t).map((view) => ({ ...view, label: `${legend}, ${view.label}` }));
}

const wholeOf = ({ id, label, errors }: GroupNode | RepeatedNode): FieldView => ({
  name: id,
  as: "hidden",
  label,
  id,
  inputName: "",
  value: undefined,
  required: false,
  errors,
});
