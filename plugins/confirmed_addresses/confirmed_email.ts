import { html, isParamObject, type ParamValue, type SafeHtml } from "framewright/host";
import { defineFieldType, displays, type FieldView, inputs, type Translate } from "framewright/plugins/fields";

/** Marks an address that the plugin has found confirmed: a request can't forge a symbol. */
const confirmed = Symbol.for("framewright.confirmed_addresses.confirmed");
/** What the text of a stored address begins with in its input, which so knows it from a typed one: an invisible separator. */
const STORED = "\u2063";
const SHAPE = /^[^\s@]{1,64}@[^\s@.][^\s@]*$/;
const MAX_CHARS = 254;

/** A confirmed address, in the place of what was sent: a list, of which forms that are shown again have the last text. */
export const asConfirmed = (address: string): ParamValue => Object.assign([address], { [confirmed]: true });

/** The address that was sent, without spaces around it and with its domain in lower case; undefined for none, and for another text. */
export function addressOf(given: ParamValue | undefined): string | undefined {
  const last = Array.isArray(given) ? given.at(-1) : given;
  if (typeof last !== "string") return undefined;
  const address = (last.startsWith(STORED) ? last.slice(STORED.length) : last).trim();
  if (address.length > MAX_CHARS || !SHAPE.test(address)) return undefined;
  const at = address.lastIndexOf("@");
  return `${address.slice(0, at)}${address.slice(at).toLowerCase()}`;
}

/** The name beside a field by which its code is sent, and by which another one is requested; neither is stored with a draft. */
export const codeName = (field: string): string => `_code_${field}`;
export const sendName = (field: string): string => `_send_${field}`;
const besideName = (inputName: string, name: (field: string) => string): string =>
  inputName.replace(/([^[\]]+)\]$/, (_, field: string) => `${name(field)}]`);

function confirmedInput(view: FieldView, t: Translate): SafeHtml {
  const text = typeof view.value === "string" ? view.value : "";
  const isStored = text.startsWith(STORED);
  const address = isStored ? text.slice(STORED.length) : text;
  const box = inputs.email!({ ...view, value: address }, t);
  if (isStored) return html`${box}<small class="form-hint">${t("confirmed_addresses.is_confirmed")}</small>`;
  if (address === "") return box;
  const id = `${view.id}_code`;
  return html`${box}<div class="fw-field"><label class="form-label" for="${id}">${t("confirmed_addresses.code")}</label><div class="fw-actions"><input type="text" class="form-control" id="${id}" name="${besideName(view.inputName, codeName)}" inputmode="numeric" autocomplete="one-time-code" maxlength="20" aria-describedby="${id}_hint"><button class="btn" name="${besideName(view.inputName, sendName)}" value="1">${t("confirmed_addresses.send")}</button></div><small class="form-hint" id="${id}_hint">${t("confirmed_addresses.code_hint")}</small></div>`;
}

/** Addresses that are taken once they are confirmed; where nobody confirms them, outside of steps, never. */
export const confirmedEmail = defineFieldType<string>({
  read(given) {
    if (given === null || given === "" || (Array.isArray(given) && given.length === 0)) return { value: null };
    const address = addressOf(given);
    if (address === undefined) return { problem: isParamObject(given) ? "errors.wrong_shape" : "errors.invalid" };
    const isConfirmed = typeof given === "object" && confirmed in given;
    return isConfirmed ? { value: address } : { problem: "confirmed_addresses.unconfirmed" };
  },
  input: confirmedInput,
  text: (value) => `${STORED}${value}`,
  display: displays.email!,
  isLink: true,
  filter: false,
  scaffold: false,
});
