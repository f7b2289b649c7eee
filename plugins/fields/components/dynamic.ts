import { html, raw, type SafeHtml } from "framewright/host";
import { attributes, hidden } from "./attributes.ts";
import type { Translate } from "./types.ts";

/** The name, below a form's key, of the list of fields that its page shows and that depend on others. */
export const DYNAMIC = "_dynamic";
/** The button that sends a form to have it drawn again; scripts press it by themselves. */
export const REFRESH = "_refresh";
/** The button of a form that has it drawn again with the preview of a field; its value is the name of the input. */
export const PREVIEW = "_preview";
/** Whether a form was sent to be drawn again, and not to be saved. */
export const isRedrawn = (sent: { has(name: string): boolean }): boolean => sent.has(REFRESH) || sent.has(PREVIEW);
/** The button of a form that leads to the form of a record to choose; its value is the field. */
export const NEW_BESIDE = "_new";

/** The place of a field that depends on others. `state` changes where it has to be drawn again; it is empty where nothing is shown. */
export const slot = (id: string, state: string, content: SafeHtml | readonly SafeHtml[] | false): SafeHtml =>
  html`<div class="fw-slot"${raw(attributes({ "data-slot": id, "data-state": state }))}>${content}</div>`;

/** What a form with such fields carries: those that it shows, and without scripts a button. Nothing without such fields. */
export function dynamicParts(
  slots: readonly { readonly name: string; readonly state: string }[],
  key: string,
  t: Translate,
): SafeHtml {
  if (slots.length === 0) return raw("");
  const names = slots.filter(({ state }) => state !== "").map(({ name }) => name);
  const carried = slot(DYNAMIC, names.join(" ") || "-", raw(hidden(`${key}[${DYNAMIC}]`, names.join(" "))));
  return html`<div hidden data-dynamic>${carried}</div><noscript><button class="btn btn-sm" name="${REFRESH}" value="1" formnovalidate>${t("form.refresh")}</button></noscript>`;
}

/** The fields that are asked for now and were not on the page that was sent; none where no page was. */
export function unseenFields(sent: { get(name: string): unknown }, shown: () => readonly string[]): readonly string[] {
  const seen = sent.get(DYNAMIC);
  if (typeof seen !== "string") return [];
  const names = new Set(seen.split(" "));
  return shown().filter((name) => !names.has(name));
}
