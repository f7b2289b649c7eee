import { html, raw, type SafeHtml, singularize } from "framewright/host";
import { dynamicParts, errorSummary, type FieldView, field, slot, type Translate } from "framewright/plugins/fields";
import { sizeText } from "framewright/plugins/storage";
import type { FieldSpec, StagedFile } from "../contract/index.ts";
import { kindOf } from "../flow/field_kind.ts";
import { LIST_MARKER } from "../flow/read_step.ts";
import type { FieldNode, FormValues, GroupNode, Node, RepeatedNode, SlotNode } from "./node_types.ts";
import { idOf, nodesOf } from "./nodes.ts";

export interface StepForm extends FormValues {
  readonly t: Translate;
}

/** The inputs of a step, filled with the typed input, else with the stored answers; works without JavaScript. */
export function stepFields(form: StepForm, nodes: readonly Node[] = nodesOf(form)): SafeHtml {
  return html`${fields(nodes, form.t)}${dynamicParts(slotsOf(nodes), "wizard", form.t)}`;
}

/** The error summary: each error with a link to its field. */
export function errorList(form: StepForm, nodes: readonly Node[] = nodesOf(form)): SafeHtml {
  const views = viewsOf(nodes, form.t);
  const ids = new Set(views.map(({ id }) => id));
  const loose = Object.entries(form.errors ?? {}).filter(([path]) => !ids.has(idOf({ path })));
  return errorSummary({
    fields: views,
    errors: loose.flatMap(([path, messages]) => errorSentences(path, messages)),
    t: form.t,
  });
}

/** An error whose field is not shown is prefixed with the field's path. */
const errorSentences = (path: string, messages: readonly string[]): string[] =>
  messages.map((message) => (path === "base" ? message : `${path} ${message}`));

/** Whether the form has a file field and has to be sent as multipart. */
export const isMultipart = ({ fields }: { readonly fields: readonly FieldSpec[] }): boolean =>
  fields.some((one) => kindOf(one).isFile || isMultipart(one));

const fields = (nodes: readonly Node[], t: Translate): SafeHtml =>
  html`<div class="fw-fields">${nodes.map((node) => nodeHtml(node, t))}</div>`;

function nodeHtml(node: Node, t: Translate): SafeHtml {
  if (node.kind === "slot") return slot(node.id, stateOf(node), node.node !== undefined && nodeHtml(node.node, t));
  if (node.kind === "group") return group(node, t);
  return node.kind === "repeated" ? repeated(node, t) : input(node, t);
}

/** What changes where a place has to be drawn again. */
const stateOf = ({ node }: SlotNode): string =>
  node === undefined ? "" : node.kind === "field" ? (node.view.slot ?? "shown") : "shown";

/** The places of the fields that depend on others, by the paths of the fields. */
function slotsOf(nodes: readonly Node[]): { name: string; state: string }[] {
  return nodes.flatMap((node) => {
    if (node.kind === "field") return [];
    if (node.kind === "slot")
      return [{ name: node.path, state: stateOf(node) }, ...slotsOf(node.node ? [node.node] : [])];
    return node.kind === "group" ? slotsOf(node.nodes) : node.entries.flatMap((one) => slotsOf(one.nodes));
  });
}

function input(node: FieldNode, t: Translate): SafeHtml {
  const { spec, view, kept } = node;
  if (kept === undefined && !kindOf(spec).isFile) return field(view, t);
  const notes = [
    view.hint,
    sizeLimitText(spec, t),
    kept && t(`wizards.fields.keep_${kept === "password" ? kept : "file"}`),
  ];
  const hint = notes.filter(Boolean).join(" ");
  const shown = field(hint === "" ? view : { ...view, hint }, t);
  if (kept === undefined || kept === "password") return shown;
  return html`<div class="fw-field-wide fw-file">${shown}${keptFile(kept, node, t)}</div>`;
}

const sizeLimitText = (spec: FieldSpec, t: Translate): string | undefined =>
  kindOf(spec).isFile && spec.options.maximum !== undefined
    ? t("wizards.fields.at_most", { size: sizeText(spec.options.maximum) })
    : undefined;

function keptFile({ filename, size }: StagedFile, node: FieldNode, t: Translate): SafeHtml {
  const { removeName, isRemoved, reference } = node;
  const { id, label } = node.view;
  const drafted = reference && html`<input type="hidden" name="${reference.name}" value="${reference.value}">`;
  const checked = isRemoved && raw(" checked");
  const remove = t("wizards.fields.remove_file");
  return html`<div class="fw-file-kept">${drafted}<span>${filename} <small>(${sizeText(size)})</small></span><label
    class="form-check"><input type="checkbox" class="form-check-input" id="${id}_remove" name="${removeName}" value="1"${checked}><span
    class="form-check-label">${remove}<span class="visually-hidden">: ${label}</span></span></label></div>`;
}

const groupNotes = ({ id, errors, hint }: GroupNode | RepeatedNode): SafeHtml =>
  html`${errors.length > 0 && html`<p class="invalid-feedback fw-field-errors" id="${id}_errors">${errors.join(", ")}</p>`}${hint !== undefined && html`<small class="form-hint">${hint}</small>`}`;

function group(node: GroupNode, t: Translate): SafeHtml {
  return html`<fieldset class="fw-group fw-field-wide" id="${node.id}"><legend class="form-label">${node.label}</legend>${groupNotes(node)}${fields(node.nodes, t)}</fieldset>`;
}

/** Each entry with a button that removes it, and one button that adds an entry; both submit the form without validation. */
function repeated(node: RepeatedNode, t: Translate): SafeHtml {
  const { id, label, path, inputName, entries, isFull } = node;
  const add = html`<button class="btn btn-sm" name="_add" value="${path}" formnovalidate>${t("wizards.fields.add")}<span class="visually-hidden">: ${label}</span></button>`;
  return html`<fieldset class="fw-group fw-repeated fw-field-wide" id="${id}" tabindex="-1"><legend
    class="form-label">${label}</legend>${groupNotes(node)}<input type="hidden" name="${inputName}[${LIST_MARKER}]" value="1">${entries.map(
      (_, index) => entry(node, index, t),
    )}${!isFull && add}</fieldset>`;
}

function entry({ id, label, path, inputName, entries }: RepeatedNode, index: number, t: Translate): SafeHtml {
  const { was, nodes } = entries[index]!;
  const legend = t("wizards.fields.entry", { label: singularize(label), number: index + 1 });
  const kept = was !== undefined && html`<input type="hidden" name="${inputName}[${index}][_was]" value="${was}">`;
  const remove = html`<button class="btn btn-sm btn-ghost-danger" name="_remove" value="${path}.${index}" formnovalidate>${t("wizards.fields.remove")}<span class="visually-hidden">: ${legend}</span></button>`;
  return html`<fieldset class="fw-group fw-entry" id="${id}-${index}"><legend class="form-label">${legend}</legend>${kept}${fields(nodes, t)}${remove}</fieldset>`;
}

/** The fields of the form in order; groups and lists as fields of their own, with their errors. */
function viewsOf(nodes: readonly Node[], t: Translate): FieldView[] {
  return nodes.flatMap((node) => {
    if (node.kind === "field") return [node.view];
    if (node.kind === "slot") return viewsOf(node.node ? [node.node] : [], t);
    if (node.kind === "group") return [groupView(node), ...viewsOf(node.nodes, t)];
    return [groupView(node), ...node.entries.flatMap((one, index) => entryViews(node, one.nodes, index, t))];
  });
}

/** In the error summary, a field of an entry is labelled with its entry. */
function entryViews({ label }: RepeatedNode, nodes: readonly Node[], index: number, t: Translate): FieldView[] {
  const legend = t("wizards.fields.entry", { label: singularize(label), number: index + 1 });
  return viewsOf(nodes, t).map((view) => ({ ...view, label: `${legend}, ${view.label}` }));
}

const groupView = ({ id, label, errors }: GroupNode | RepeatedNode): FieldView => ({
  name: id,
  as: "hidden",
  label,
  id,
  inputName: "",
  value: undefined,
  required: false,
  errors,
});
