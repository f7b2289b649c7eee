import { html, raw, type SafeHtml, singularize } from "framewright/host";
import { attributes } from "../components/attributes.ts";
import type { Translate } from "../components/types.ts";
import type { Node, RowNode, RowsNode } from "./node_types.ts";
import { BLANK_ROW, DESTROY_MARKER, LIST_MARKER } from "./read_tree.ts";
import { type RowButton, rowButtons } from "./row_buttons.ts";

type DrawNodes = (nodes: readonly Node[]) => SafeHtml;

/** Rows with their buttons, which send the form without validation; scripts do the same without a request. */
export function drawRows(node: RowsNode, t: Translate, draw: DrawNodes): SafeHtml {
  const { id, label, path, inputName, rows, blank, maximum, may, errors, columns } = node;
  const drawing: Drawing = { node, t, draw };
  const template = blank && may.add && html`<template>${drawRow(drawing, blank, BLANK_ROW)}</template>`;
  const state = attributes({
    "data-rows": path,
    "data-name": inputName,
    "data-maximum": maximum,
    "data-label": rowName(node, t, "#"),
    "aria-describedby": errors.length > 0 ? `${id}_errors` : undefined,
  });
  const notes = html`${errors.length > 0 && html`<p class="invalid-feedback fw-field-errors" id="${id}_errors">${errors.join(", ")}</p>`}${node.hint !== undefined && html`<small class="form-hint" id="${id}_hint">${node.hint}</small>`}`;
  return html`<fieldset class="fw-group fw-repeated fw-field-wide${columns === undefined ? "" : ` fw-columns-${columns}`}" id="${id}" tabindex="-1"${raw(state)}><legend
    class="form-label">${label}</legend>${notes}<input type="hidden" name="${inputName}[${LIST_MARKER}]" value="1">${rows.map(
      (row, index) => drawRow(drawing, row, index),
    )}${template}${may.add && addButton(node, t)}</fieldset>`;
}

interface Drawing {
  readonly node: RowsNode;
  readonly t: Translate;
  readonly draw: DrawNodes;
}

/** The button that adds a row; where there are as many as there may be, it is off and a sentence explains why. */
function addButton({ id, label, path, rows, maximum }: RowsNode, t: Translate): SafeHtml {
  const isFull = rows.filter(({ isRemoved }) => !isRemoved).length >= maximum;
  const off = attributes({ disabled: isFull, "aria-describedby": `${id}_full` });
  const button = html`<button class="btn btn-sm" name="${rowButtons.add}" value="${path}" formnovalidate${raw(off)}>${t("form.rows.add")}<span class="visually-hidden">: ${label}</span></button>`;
  return html`${button}<small class="form-hint" id="${id}_full"${raw(isFull ? "" : " hidden")}>${t("form.rows.full", { count: maximum })}</small>`;
}

function drawRow({ node, t, draw }: Drawing, row: RowNode, number: number | string): SafeHtml {
  const { id, path, inputName, collapsed, may } = node;
  const position = typeof number === "number" ? String(number + 1) : "#";
  const legend = html`<span data-row-number>${rowName(node, t, position)}</span>`;
  const hidden = (name: string, value: string, mark: string) =>
    html`<input type="hidden" name="${inputName}[${number}][${name}]" value="${value}" data-identity${raw(mark)}>`;
  const stored = Object.entries(row.carried);
  const carried = stored.map(([name, value]) => hidden(name, value, ""));
  const mark = stored.length > 0 && hidden(DESTROY_MARKER, row.isRemoved ? "1" : "", " data-destroy");
  const buttons = drawButtons(node, row, { t, legend, value: `${path}.${number}` });
  const title = row.label === undefined ? legend : html`${legend}: <span class="fw-row-label">${row.label}</span>`;
  const fields = draw(row.nodes);
  const head = html`<legend class="form-label">${title}</legend>${stored.length > 0 && html`<small class="fw-row-removed"${raw(row.isRemoved ? "" : " hidden")}>${t("form.rows.removed")}</small>`}`;
  const wrong = row.errors?.length
    ? html`<p class="invalid-feedback fw-field-errors">${row.errors.join(", ")}</p>`
    : false;
  const body = collapsed
    ? html`<details class="fw-row-details"${raw(row.isOpen ? " open" : "")}><summary>${t("form.rows.details")}<span class="visually-hidden">: ${legend}</span></summary>${fields}</details>`
    : fields;
  const kind = `fw-group fw-entry${row.isRemoved ? " fw-entry-removed" : ""}`;
  return html`<fieldset class="${kind}" id="${id}-${number}" data-row="${number}">${may.move && handle}${head}${carried}${mark}<div class="fw-row-buttons">${buttons}</div>${wrong}${body}</fieldset>`;
}

/** What a row is called: "Line 2". */
const rowName = ({ label }: RowsNode, t: Translate, number: string): string =>
  t("form.rows.row", { label: singularize(label), number });

/** What a row is dragged by, with scripts: its buttons do the same. */
const handle = html`<span class="fw-row-handle" draggable="true" aria-hidden="true" hidden>${"⋮⋮"}</span>`;

interface ButtonPlace {
  readonly t: Translate;
  readonly legend: SafeHtml;
  readonly value: string;
}
/** Signs in the place of words, which are there for screen readers: icons would weigh more than the rows. */
const signs: Readonly<Partial<Record<RowButton, string>>> = { up: "↑", down: "↓" };

/** What can be done to a row; to a removed one, that it is put back. */
function drawButtons({ may }: RowsNode, row: RowNode, { t, legend, value }: ButtonPlace): SafeHtml[] {
  const names: Exclude<RowButton, "add">[] = may.move ? ["up", "down"] : [];
  if (may.add) names.push("copy");
  if (row.mayRemove) names.push("remove");
  if (row.mayRemove && Object.keys(row.carried).length > 0) names.push("restore");
  return names.map((name) => {
    const isHidden = (name === "restore") !== row.isRemoved;
    const text = t(`form.rows.${name}`);
    const style = name === "remove" ? "btn btn-sm btn-ghost-danger" : "btn btn-sm btn-ghost-secondary";
    const sign = signs[name];
    const shown =
      sign === undefined
        ? html`${text}<span class="visually-hidden">: ${legend}</span>`
        : html`<span aria-hidden="true">${sign}</span><span class="visually-hidden">${text}: ${legend}</span>`;
    return html`<button class="${style}" name="${rowButtons[name]}" value="${value}" formnovalidate${raw(isHidden ? " hidden" : "")}>${shown}</button>`;
  });
}
