import { html, raw, type SafeHtml, singularize } from "framewright/host";
import { sizeText } from "framewright/plugins/storage";
import { attributes } from "../components/attributes.ts";
import { slot } from "../components/dynamic.ts";
import { foldSecondary } from "../components/fieldsets.ts";
import { field, isWrong } from "../components/form.ts";
import { inPairs } from "../components/pairs.ts";
import type { FieldView, Translate } from "../components/types.ts";
import { drawRows } from "./draw_rows.ts";
import { kindOf } from "./kind.ts";
import type { FieldNode, GroupNode, Node, RowNode, RowsNode, SlotNode } from "./node_types.ts";
import type { FieldSpec, StagedFile } from "./spec.ts";

/** Whether a form has a file field and has to be sent as multipart. */
export const isMultipart = (fields: readonly FieldSpec[]): boolean =>
  fields.some((one) => kindOf(one).isFile || isMultipart(one.fields));

/** The inputs of some fields; they work without JavaScript. */
export const drawFields = (nodes: readonly Node[], t: Translate): SafeHtml =>
  html`<div class="fw-fields">${inPairs(nodes, soleView, (node) => drawNode(node, t))}</div>`;

/** As `drawFields`, of a whole form: those that need not be filled in are under "More fields". */
export function drawFormFields(nodes: readonly Node[], t: Translate): SafeHtml {
  const draw = (some: readonly Node[]) => drawFields(some, t);
  const [first, more] = foldSecondary(nodes, soleView, { draw, t, isWrong });
  return html`${draw(first)}${more}`;
}
const soleView = (node: Node): FieldView | undefined =>
  node.kind === "slot" ? node.node && soleView(node.node) : "view" in node ? node.view : undefined;

export function drawNode(node: Node, t: Translate): SafeHtml {
  if (node.kind === "slot") return slot(node.id, stateOf(node), node.node !== undefined && drawNode(node.node, t));
  if (node.kind === "group") return drawGroup(node, t);
  if (node.kind === "view") return field(node.view, t);
  return node.kind === "rows" ? drawRows(node, t, (nodes) => drawFields(nodes, t)) : drawInput(node, t);
}

/** What changes where a place has to be drawn again. */
const stateOf = ({ node }: SlotNode): string =>
  node === undefined ? "" : node.kind === "field" ? (node.view.slot ?? "shown") : "shown";

/** The places of the fields that depend on others, by the paths of the fields. */
export function slotsOf(nodes: readonly Node[]): { name: string; state: string }[] {
  return nodes.flatMap((node) => {
    if (node.kind === "field") return [];
    if (node.kind === "view") return node.view.slot === undefined ? [] : [{ name: node.path, state: node.view.slot }];
    if (node.kind === "slot")
      return [{ name: node.path, state: stateOf(node) }, ...slotsOf(node.node ? [node.node] : [])];
    return node.kind === "group" ? slotsOf(node.nodes) : node.rows.flatMap((row) => slotsOf(row.nodes));
  });
}

function drawInput(node: FieldNode, t: Translate): SafeHtml {
  const { spec, view, kept } = node;
  if (kept === undefined && !kindOf(spec).isFile) return field(view, t);
  const notes = [
    view.hint,
    sizeLimitText(spec, t),
    kept && t(kept === "password" ? "form.rows.keep_password" : "form.file_kept"),
  ];
  const hint = notes.filter(Boolean).join(" ");
  const shown = field(hint === "" ? view : { ...view, hint }, t);
  if (kept === undefined || kept === "password") return shown;
  return html`<div class="fw-field-wide fw-file">${shown}${keptFile(kept, node, t)}</div>`;
}

const sizeLimitText = (spec: FieldSpec, t: Translate): string | undefined =>
  kindOf(spec).isFile && spec.options.maximum !== undefined
    ? t("form.rows.at_most", { size: sizeText(spec.options.maximum) })
    : undefined;

function keptFile({ filename, size }: StagedFile, node: FieldNode, t: Translate): SafeHtml {
  const { removeName, isRemoved, reference } = node;
  const { id, label } = node.view;
  const drafted = reference && html`<input type="hidden" name="${reference.name}" value="${reference.value}">`;
  const checked = isRemoved && raw(" checked");
  const remove = t("form.remove_file");
  return html`<div class="fw-file-kept">${drafted}<span>${filename} <small>(${sizeText(size)})</small></span><label
    class="form-check"><input type="checkbox" class="form-check-input" id="${id}_remove" name="${removeName}" value="1"${checked}><span
    class="form-check-label">${remove}<span class="visually-hidden">: ${label}</span></span></label></div>`;
}

/** What is wrong with a group or rows as a whole, and their hint. */
export const groupNotes = ({ id, errors, hint }: Pick<GroupNode, "id" | "errors" | "hint">): SafeHtml =>
  html`${errors.length > 0 && html`<p class="invalid-feedback fw-field-errors" id="${id}_errors">${errors.join(", ")}</p>`}${hint !== undefined && html`<small class="form-hint" id="${id}_hint">${hint}</small>`}`;

function drawGroup(node: GroupNode, t: Translate): SafeHtml {
  const described = attributes({ "aria-describedby": node.errors.length > 0 ? `${node.id}_errors` : undefined });
  return html`<fieldset class="fw-group fw-field-wide" id="${node.id}"${raw(described)}><legend class="form-label">${node.label}</legend>${groupNotes(node)}${drawFields(node.nodes, t)}</fieldset>`;
}

/** The fields of the form in order; groups and rows as fields of their own, with their errors. */
export function viewsOf(nodes: readonly Node[], t: Translate): FieldView[] {
  return nodes.flatMap((node) => {
    if (node.kind === "field" || node.kind === "view") return [node.view];
    if (node.kind === "slot") return viewsOf(node.node ? [node.node] : [], t);
    if (node.kind === "group") return [groupView(node), ...viewsOf(node.nodes, t)];
    return [groupView(node), ...node.rows.flatMap((row, index) => rowViews(node, row, index, t))];
  });
}

/** In the error summary, a field of a row is labelled with its row. */
function rowViews({ id, label }: RowsNode, { nodes, errors = [] }: RowNode, index: number, t: Translate): FieldView[] {
  const legend = t("form.rows.row", { label: singularize(label), number: index + 1 });
  const whole = groupView({ id: `${id}-${index}`, label: legend, errors });
  return [whole, ...viewsOf(nodes, t).map((view) => ({ ...view, label: `${legend}, ${view.label}` }))];
}

const groupView = ({ id, label, errors }: Pick<GroupNode, "id" | "label" | "errors">): FieldView => ({
  name: id,
  as: "hidden",
  label,
  id,
  inputName: "",
  value: undefined,
  required: false,
  errors,
});
