import { escapeHtml, html, numberField, raw, type SafeHtml, utc, zoneField, zoneValue } from "framewright/host";
import { toInstant } from "framewright/plugins/views";
import { attributes } from "./attributes.ts";
import type { Choice, FieldView, Translate } from "./types.ts";
import { choiceLabel } from "./words.ts";

/** Draws the input of a field. */
export type Input = (field: FieldView, t: Translate) => SafeHtml;

const single = (field: FieldView): string => (typeof field.value === "string" ? field.value : (field.value?.[0] ?? ""));

/** The ids of what explains an input, for screen readers: its errors first, then its hint. */
function describedBy({ id, errors, hint, sign }: FieldView, ...more: string[]): string | undefined {
  const ids = [errors.length > 0 && `${id}_errors`, sign && signId(id), hint !== undefined && `${id}_hint`, ...more];
  return ids.filter(Boolean).join(" ") || undefined;
}

/** The id of what is beside an input. */
export const signId = (id: string): string => `${id}_sign`;

function common(field: FieldView, extra: Parameters<typeof attributes>[0] = {}): string {
  return attributes({
    id: field.id,
    name: field.inputName,
    class: `form-control${field.errors.length > 0 ? " is-invalid" : ""}`,
    required: field.required,
    placeholder: field.placeholder,
    autocomplete: field.autocomplete,
    readonly: field.readonly,
    "aria-invalid": field.errors.length > 0 ? "true" : undefined,
    "aria-describedby": describedBy(field),
    ...extra,
    ...field.attributes,
  });
}

/** One line, of a type that browsers know, with attributes of its own; `show` makes the text of what is stored or was typed. */
export const box =
  (type: string, extra: Parameters<typeof attributes>[0] = {}, show: (value: string) => string = String): Input =>
  (field) =>
    raw(`<input type="${type}" value="${escapeHtml(show(single(field)))}"${common(field, extra)}>`);

/** Several lines. */
export const area =
  (rows: number, extra: Parameters<typeof attributes>[0] = {}): Input =>
  (field) =>
    // the first line break after the tag is dropped by browsers, and must not be the text's own
    raw(`<textarea rows="${rows}"${common(field, extra)}>\n${escapeHtml(single(field))}</textarea>`);

function options(field: FieldView, t: Translate): string {
  const blank =
    field.multiple === true || field.noBlank === true
      ? ""
      : `<option value="">${escapeHtml(t("framework.choose"))}</option>`;
  const choices = field.choices ?? [];
  let out = blank;
  if (!field.groups) out += choices.map(option).join("");
  for (const group of field.groups ?? []) {
    const inside = choices.filter((choice) => choice.group === group).map(option);
    out += `<optgroup label="${escapeHtml(group)}" data-value="${escapeHtml(group)}">${inside.join("")}</optgroup>`;
  }
  if (field.moreChoices !== undefined) out += `<option value="" disabled>${escapeHtml(field.moreChoices)}</option>`;
  return out;
}

/** Without scripts a second line is behind the label. */
function option(choice: Choice): string {
  const { line } = choice;
  const label = choiceLabel(choice);
  const own = line === undefined ? "" : ` data-label="${escapeHtml(label)}" data-line="${escapeHtml(line)}"`;
  const text = line === undefined ? label : `${label} (${line})`;
  return `<option value="${escapeHtml(choice.value)}"${choice.selected ? " selected" : ""}${own}>${escapeHtml(text)}</option>`;
}

/** A list to choose from; `extra`: attributes of its own. */
export const select =
  (extra: (field: FieldView, t: Translate) => Parameters<typeof attributes>[0] = () => ({})): Input =>
  (field, t) => {
    const given = {
      class: `form-select${field.errors.length > 0 ? " is-invalid" : ""}`,
      multiple: field.multiple,
      readonly: undefined,
    };
    const none = field.multiple === true ? `<input type="hidden" name="${escapeHtml(field.inputName)}" value="">` : "";
    const state = common(field, Object.assign(given, extra(field, t)));
    return raw(`${none}<select${state}>${options(field, t)}</select>`);
  };

export const radio: Input = (field) => {
  const buttons = (field.choices ?? []).map((choice, index) => {
    const { value, selected } = choice;
    const id = index === 0 ? field.id : `${field.id}_${index}`;
    const state = attributes({ id, name: field.inputName, value, checked: selected, required: field.required });
    return html`<label class="form-check"><input type="radio" class="form-check-input"${raw(state)}><span class="form-check-label">${choiceLabel(choice)}</span></label>`;
  });
  return html`<div class="fw-choices">${buttons}</div>`;
};

export const checkbox: Input = (field, t) => {
  if (field.isOptional) return optionalBoolean(field, t);
  const state = common(field, {
    class: "form-check-input",
    checked: field.checked,
    required: false,
    placeholder: undefined,
  });
  const off = `<input type="hidden" name="${escapeHtml(field.inputName)}" value="0">`;
  return html`${raw(off)}<label class="form-check form-switch"><input type="checkbox" value="1" role="switch"${raw(state)}><span class="form-check-label">${field.label}</span></label>`;
};

/** Yes, no, or neither: a checkbox has no third state, and would turn one that was left alone into no. */
const optionalBoolean: Input = (field, t) => {
  const choice = (value: string, label: string): Choice => ({ value, label, selected: single(field) === value });
  const choices = [choice("1", t("framework.yes")), choice("0", t("framework.no"))];
  const blank = `<option value="">${escapeHtml(t("framework.not_set"))}</option>`;
  const state = common(field, {
    class: `form-select${field.errors.length > 0 ? " is-invalid" : ""}`,
    readonly: undefined,
  });
  const label = html`<label class="form-label" for="${field.id}">${field.label}</label>`;
  return html`${label}${raw(`<select${state}>${blank}${choices.map(option).join("")}</select>`)}`;
};

/** A colour as text, which can be empty, and beside it the browser's own input, which can't: with scripts it fills in the text. */
export const colorInput: Input = (field, t) => {
  const text = box("text", { pattern: "#[0-9A-Fa-f]{6}", maxlength: 7, spellcheck: "false", autocomplete: "off" })(
    field,
    t,
  );
  const value = /^#[0-9a-f]{6}$/i.test(single(field)) ? single(field) : "#000000";
  const picker = html`<input type="color" class="form-control form-control-color" value="${value}" data-picks="${field.id}" aria-label="${t("form.pick_color", { name: field.label })}" hidden>`;
  return html`<div class="fw-signed">${text}${picker}</div>`;
};

/** A moment as clocks show it, which is what browsers take: "2026-11-20T14:05"; beside it the zone, for people and for the form. */
export const datetimeInput: Input = (field, t) => {
  const { timeZone = utc } = field;
  const at = toInstant(single(field));
  const described = { step: "any", "aria-describedby": describedBy(field, `${field.id}_zone`) };
  const input = box("datetime-local", described, (value) => (at ? timeZone.inputTime(at) : value))(field, t); // what is no time is kept as it was typed
  const words = { city: timeZone.city, offset: timeZone.offsetText(at ?? new Date()) };
  const zone = timeZone.isUtc ? t("framework.utc") : t("framework.zone", words);
  const said = html`${input}<small class="form-hint" id="${field.id}_zone">${zone}</small>`;
  if (timeZone === utc) return said; // as times are read that come without a zone
  const hidden = html`<input type="hidden" name="${zoneField(field.inputName)}" value="${zoneValue(timeZone, at)}">`;
  return html`${said}${hidden}`;
};

/** A number with decimals, as the person's language writes it; where that is not how machines do, the form says so. */
export const numberInput =
  (extra: (field: FieldView) => Parameters<typeof attributes>[0] = () => ({})): Input =>
  (field, t) => {
    const { locale, inputName } = field;
    const own = { inputmode: "decimal", ...extra(field) };
    if (!locale) return box("text", own)(field, t);
    const input = box("text", own, (value) => locale.numbers.input(value))(field, t);
    return html`${input}<input type="hidden" name="${numberField(inputName)}" value="${locale.name}">`;
  };
const moneyClass = ({ errors }: FieldView): string => `form-control fw-money${errors.length > 0 ? " is-invalid" : ""}`;
export const moneyInput: Input = numberInput((field) => ({ class: moneyClass(field) }));

/** One line; a text that has several already keeps them in an area: browsers drop line breaks from a box. */
export const textInput: Input = (field, t) => (/[\r\n]/.test(single(field)) ? area(3) : box("text"))(field, t);
export const dateInput: Input = box("date", {}, (value) => value.slice(0, 10));
export const passwordInput: Input = (field) =>
  raw(`<input type="password"${common(field, { autocomplete: field.autocomplete ?? "new-password" })}>`);
export const associationInput: Input = select(({ searchUrl, moreChoices, multiple }, t) => ({
  "data-association": true,
  "data-search-url": searchUrl,
  "data-more": moreChoices,
  "data-no-results": t("framework.no_results"),
  "data-remove": multiple === true ? t("form.remove_choice") : undefined,
}));
export const fileInput: Input = (field) =>
  raw(`<input type="file"${common(field, { placeholder: undefined, multiple: field.multiple })}>`);
export const hiddenInput: Input = (field) =>
  raw(`<input type="hidden"${attributes({ id: field.id, name: field.inputName, value: single(field) })}>`);
