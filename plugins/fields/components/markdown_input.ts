import { html, raw, type SafeHtml, safeUrl } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import { attributes } from "./attributes.ts";
import { PREVIEW } from "./dynamic.ts";
import { area, type Input } from "./inputs.ts";
import type { FieldView, Translate } from "./types.ts";

const plain = area(10, { class: "form-control fw-markdown", spellcheck: "true" });
/** What the script formats by: the name of each mark, its icon and its key with Ctrl. */
const marks = [
  ["bold", "bold", "B"],
  ["italic", "italic", "I"],
  ["heading", "heading", undefined],
  ["link", "link", undefined],
  ["list", "list", undefined],
  ["code", "code", undefined],
] as const;

/** A text in Markdown. Its page may give it an `editor`: buttons, which need the script and stay hidden without it, and a preview. */
export const markdownInput: Input = (field, t) => {
  const { editor, id, label } = field;
  const text = plain(field, t);
  if (!editor) return text;
  const { script, preview, shown } = editor;
  const named = preview
    ? html`<button class="btn btn-sm btn-ghost-secondary" name="${PREVIEW}" value="${field.inputName}" formnovalidate data-preview="${t("form.markdown.write")}">${t("form.markdown.preview")}<span class="visually-hidden">: ${label}</span></button>`
    : "";
  return html`<div class="fw-editor" data-markdown="${safeUrl(script)}" data-failed="${t("form.markdown.failed")}"><div class="fw-editor-bar">${buttons(id, t)}${named}</div>${text}${preview && previewPlace(field, shown, t)}</div>`;
};

const buttons = (id: string, t: Translate): SafeHtml =>
  html`<div class="fw-editor-marks" role="group" aria-label="${t("form.markdown.format")}" hidden>${marks.map(
    ([mark, icon, key]) => {
      const label = t(`form.markdown.${mark}`);
      const keys = attributes({
        title: key === undefined ? label : `${label} (Ctrl+${key})`,
        "aria-keyshortcuts": key && `Control+${key}`,
      });
      return html`<button type="button" class="btn btn-icon" data-mark="${mark}" aria-label="${label}" aria-controls="${id}"${raw(keys)}>${iconOrNothing(icon)}</button>`;
    },
  )}</div>`;

/** Where the preview is shown; a page that was requested with it leads to it. */
function previewPlace({ id, label }: FieldView, shown: SafeHtml | undefined, t: Translate): SafeHtml {
  const state = attributes({ id: `${id}_preview`, hidden: shown === undefined, autofocus: shown !== undefined });
  return html`<div class="fw-editor-preview" role="region" tabindex="-1" aria-label="${t("form.markdown.preview_of", { field: label })}"${raw(state)}>${shown ?? ""}</div>`;
}
