import { html, raw, type SafeHtml, safeUrl } from "framewright/host";
import { sizeText } from "framewright/plugins/storage";
import { iconOrNothing } from "framewright/plugins/views";
import { errors } from "../errors.ts";
import { inputNames, standardTypes } from "../types/index.ts";
import { attributes, defaultButton, hidden, methodField } from "./attributes.ts";
import { dynamicParts, slot } from "./dynamic.ts";
import { drawGroups, foldSecondary, groupedBy } from "./fieldsets.ts";
import { signId } from "./inputs.ts";
import { inPairs } from "./pairs.ts";
import type { FieldView, FormView, Translate } from "./types.ts";

const messages = ({ id, errors: wrong }: FieldView): SafeHtml | false =>
  wrong.length > 0 && html`<p class="invalid-feedback fw-field-errors" id="${id}_errors">${wrong.join(", ")}</p>`;
const hint = ({ id, hint: words }: FieldView): SafeHtml | false =>
  words !== undefined && html`<small class="form-hint" id="${id}_hint">${words}</small>`;
const mark = ({ required }: FieldView, t: Translate): SafeHtml | false =>
  required &&
  html`<span class="fw-required" aria-hidden="true">*</span><span class="visually-hidden"> (${t("framework.required")})</span>`;

/** What removes what is stored, where it may be absent. */
function removeBox({ id, label, removeName, isRemoved }: FieldView, text: string): SafeHtml | false {
  if (removeName === undefined) return false;
  const state = attributes({ id: `${id}_remove`, name: removeName, value: "1", checked: isRemoved });
  return html`<label class="form-check"><input type="checkbox" class="form-check-input"${raw(state)}><span class="form-check-label">${text}<span class="visually-hidden">: ${label}</span></span></label>`;
}

/** What is there already, and need not be given again: a file by its name, a secret by nothing. */
function kept(view: FieldView, t: Translate): SafeHtml | false {
  const { file, keptName } = view;
  if (!file) return removeBox(view, t("form.remove_secret"));
  const carried = raw(file.sealed === undefined ? "" : hidden(keptName!, file.sealed));
  const remove = removeBox(view, t("form.remove_file"));
  return html`${carried}<div class="fw-file-kept"><span>${file.filename} <small>(${sizeText(file.size)})</small></span>${remove}</div>`;
}

const besideButton = ({ beside }: FieldView): SafeHtml | false =>
  beside !== undefined &&
  html`<button class="btn btn-sm btn-ghost-secondary fw-beside" name="${beside.name}" value="${beside.value}" formnovalidate data-beside="${safeUrl(beside.url)}">${iconOrNothing("plus")}${beside.label}</button>`;

/** One field: label, input, hint and errors; of one that depends on others its place, where it is not shown. @throws FW_INPUT_UNKNOWN */
export function field(view: FieldView, t: Translate): SafeHtml {
  if (view.slot === undefined) return drawnField(view, t);
  return slot(view.id, view.slot, view.slot !== "" && drawnField(view, t));
}

/** An input with its currency or unit, which screen readers hear as its description. */
function withSign({ id, sign }: FieldView, input: SafeHtml): SafeHtml {
  if (!sign) return input;
  const text = html`<span class="fw-sign" id="${signId(id)}">${sign.before || sign.after}</span>`;
  return sign.before !== ""
    ? html`<div class="fw-signed fw-signed-before">${text}${input}</div>`
    : html`<div class="fw-signed">${input}${text}</div>`;
}

/** A field whose hint leaves out the sentences that its errors contain already. */
function withoutSaid({ hint, ...view }: FieldView): FieldView {
  const said = view.errors.join().toLowerCase();
  const isSaid = (sentence: string) => said.includes(sentence.replace(/[.!?]$/, "").toLowerCase());
  const left = hint?.split(/(?<=[.!?])\s+/).filter((sentence) => !isSaid(sentence));
  return left?.length ? { ...view, hint: left.join(" ") } : view;
}

function drawnField(given: FieldView, t: Translate): SafeHtml {
  const view = given.errors.length > 0 ? withoutSaid(given) : given;
  const type = view.type ?? standardTypes.get(view.as);
  if (!type || !(view.content || type.input))
    throw errors.FW_INPUT_UNKNOWN(view.name, view.as, inputNames(standardTypes));
  const input = view.content ?? withSign(view, type.input!(view, t));
  if (type.frame === "none") return input;
  const around = `fw-field fw-field-${view.as}${type.wide ? " fw-field-wide" : ""}`;
  const rest = html`${input}${besideButton(view)}${kept(view, t)}${messages(view)}${hint(view)}`;
  if (type.frame === "inline") return html`<div class="${around}">${rest}</div>`;
  if (type.frame === "label") {
    return html`<div class="${around}"><label class="form-label" for="${view.id}">${view.label}${mark(view, t)}</label>${rest}</div>`;
  }
  const described = attributes({ "aria-describedby": view.errors.length > 0 ? `${view.id}_errors` : undefined });
  return html`<fieldset class="${around}"${raw(described)}><legend class="form-label">${view.label}${mark(view, t)}</legend>${rest}</fieldset>`;
}

/** What is wrong, first thing on the page, each with a link to its field. */
export function errorSummary({ fields, errors: base, t }: Pick<FormView, "fields" | "errors" | "t">): SafeHtml {
  const parts = fields.flatMap((one) => [one, ...(one.parts ?? [])]);
  const wrong = parts.flatMap(({ id, label, errors: own }) => own.map((message) => ({ id, label, message })));
  const count = wrong.length + base.length;
  if (count === 0) return raw("");
  const items = [
    ...base.map((message) => html`<li>${message}</li>`),
    ...wrong.map(({ id, label, message }) => html`<li><a href="#${id}">${label} ${message}</a></li>`),
  ];
  const title = t("form.errors_title", { count });
  return html`<div class="fw-error-summary" role="alert" tabindex="-1">${iconOrNothing("alert-circle")}<div><h2>${title}</h2><ul>${items}</ul></div></div>`;
}

/** The hidden field of a record's form with a mark of each value that its inputs began with. */
export const ORIGINALS = "_originals";

/** A whole form, ready to be sent with and without JavaScript. */
export function form(view: FormView): SafeHtml {
  const { action, method, csrf, fields, beforeFields, afterFields, lockVersion, submitLabel, cancelUrl, returnTo, t } =
    view;
  const own = attributes({
    id: view.id,
    class: "fw-form",
    method: "post",
    action: safeUrl(action),
    enctype: view.multipart === true ? "multipart/form-data" : undefined,
    "accept-charset": "utf-8",
    novalidate: true,
    "data-turbo": view.download ? "false" : undefined,
    "data-unsaved": t("framework.unsaved"),
    "data-changes": t("form.changes"),
  });
  const version = hidden("lock_version", lockVersion) + hidden(ORIGINALS, view.originals);
  const carried = methodField(method) + version + hidden("return_to", returnTo);
  const cancel =
    cancelUrl !== undefined &&
    html`<a class="btn" href="${safeUrl(cancelUrl)}"${raw(view.inDialog ? " data-modal-close" : "")}>${view.cancelLabel ?? t("framework.cancel")}</a>`;
  const { name, value, label } = view.another ?? {};
  const another =
    label !== undefined && html`<button class="btn fw-another" name="${name}" value="${value}">${label}</button>`;
  const { others, groups } = groupedBy(fields, view.fieldsets);
  const drawn = (some: readonly FieldView[]) =>
    html`<div class="fw-fields">${inPairs(
      some,
      (one) => one,
      (one) => field(one, t),
    )}</div>`;
  const [first, more] = foldSecondary(others, (one) => one, { draw: drawn, t, isWrong });
  const body = html`${(first.length > 0 || groups.length === 0) && drawn(first)}${drawGroups(groups, { draw: drawn, isWrong })}${more}`;
  return html`<form${raw(own)}>${(another !== false || fields.some(hasButtons)) && defaultButton}${csrf}${raw(carried)}${errorSummary(view)}${beforeFields}${body}${afterFields}${dynamic(view)}<div class="fw-form-footer">${cancel}${another}<button class="btn ${view.isDanger ? "btn-danger" : "btn-primary"}">${submitLabel}</button></div></form>`;
}

/** Whether a field has buttons that send the form, as rows do: Enter presses the first button of a form. */
const hasButtons = ({ beside, editor, parts }: FieldView): boolean =>
  beside !== undefined || editor !== undefined || parts !== undefined;

export const isWrong = ({ errors: own, parts = [] }: FieldView): boolean =>
  own.length > 0 || parts.some((part) => part.errors.length > 0);

function dynamic({ fields, t }: FormView): SafeHtml {
  const slots = fields.flatMap(({ name, slot: state }) => (state === undefined ? [] : { name, state }));
  return dynamicParts(slots, fields[0]?.inputName.replace(/\[.*$/, "") ?? "", t);
}
