import { html, raw, type SafeHtml } from "framewright/host";
import { type Choice, defineFieldType, type FieldView } from "framewright/plugins/fields";
import { attributes, choiceLabel } from "framewright/plugins/fields/toolkit";
import { listOf } from "./tags.ts";

const MAX_CHOSEN = 200;

/** Each once, in the order in which they were given. */
function chosenOf(given: readonly unknown[]) {
  const list = given.filter((one) => one !== "");
  if (!list.every((one): one is string => typeof one === "string" && !one.includes("\0")))
    return { problem: "errors.wrong_shape" };
  const chosen = [...new Set(list)];
  if (chosen.length > MAX_CHOSEN) return { problem: "extra_fields.too_many_choices", vars: { count: MAX_CHOSEN } };
  return { value: chosen.length > 0 ? chosen : null };
}

/** A box for each choice; what was chosen and is no choice any more stays until it is removed. */
function boxes(view: FieldView): SafeHtml {
  const chosen = typeof view.value === "string" && view.value !== "" ? listOf(view.value) : [];
  const choices = view.choices ?? [];
  const gone = chosen.filter((one) => !choices.some(({ value }) => value === one)).map(String);
  const all: readonly Choice[] = [...choices, ...gone.map((value) => ({ value, label: value, selected: true }))];
  const drawn = all.map((choice, index) => {
    const id = index === 0 ? view.id : `${view.id}_${index}`;
    const name = view.inputName;
    const checked = chosen.includes(choice.value);
    const state = { type: "checkbox", class: "form-check-input", id, name, value: choice.value, checked };
    return html`<label class="form-check"><input${raw(attributes(state))}><span class="form-check-label">${choiceLabel(choice)}</span></label>`;
  });
  return html`<input type="hidden" name="${view.inputName}" value=""><div class="fw-choices">${drawn}</div>`;
}

/** Several of the field's choices, each with a box of its own; a list in a column of JSON. */
export const checkboxesType = defineFieldType<readonly string[]>({
  column: { type: "json" },
  needsChoices: true,
  isList: true,
  filter: false,
  frame: "group",
  wide: "form",
  read(given) {
    if (given === null || given === "") return { value: null };
    if (Array.isArray(given)) return chosenOf(given);
    return typeof given === "string" ? chosenOf(listOf(given)) : { problem: "errors.wrong_shape" };
  },
  input: boxes,
  text: (value) => JSON.stringify([value].flat()),
  display(value, { labels = {} }) {
    const list = typeof value === "string" ? listOf(value) : [value].flat();
    return html`<span class="fw-tags">${list.map((one) => html`<span class="fw-tag">${labels[String(one)] ?? String(one)}</span>${raw(" ")}`)}</span>`;
  },
});
