import { escapeHtml, raw } from "framewright/host";

type Value = string | number | boolean | undefined;

/** ` name="value"` for each; true is a bare name, false and undefined are left out. Names come from code. */
export function attributes(values: Readonly<Record<string, Value>>): string {
  let out = "";
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === false) continue;
    if (!/^[a-z][\w:-]*$/i.test(name) || /^(?:on|style$)/i.test(name)) continue; // scripts and styles live in files
    out += value === true ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`;
  }
  return out;
}

/** A hidden field; nothing when there is no value. */
export function hidden(name: string, value: string | number | undefined): string {
  return value === undefined ? "" : `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`;
}

/** What Enter presses in a field: the first button of a form, which must not be one of the others. */
export const defaultButton = raw('<button class="visually-hidden" tabindex="-1" aria-hidden="true"></button>');

/** Browsers know GET and POST; the rest travels in the body. */
export const methodField = (method: string): string => (method === "post" ? "" : hidden("_method", method));
