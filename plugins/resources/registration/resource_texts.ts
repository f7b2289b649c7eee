import { type BaseController, demodulize, humanize, localeOf, pluralize, underscore } from "framewright/host";
import type { AssociationInfo, Counted } from "framewright/plugins/database";
import { choiceOf } from "framewright/plugins/fields";
import type { Attribute } from "../definition/attributes.ts";
import type { Fieldset } from "../definition/definition_options.ts";
import type { Registration, ResourceRoute } from "./registration.ts";

/** What people call records of a resource: `Post` and `Posts`. */
export interface Labels {
  one: string;
  many: string;
}
/** What values are called, by value. */
export type ValueLabels = Readonly<Record<string, string>>;
/** Where the label of an attribute is shown; a definition may name it differently in each. */
export type LabelPlace = "input" | "display" | "listed";

/** As they end the keys of a catalogue. */
const PLURAL_FORMS = ["", "_zero", "_one", "_two", "_few", "_many", "_other"];

/** A text of a resource in the application's catalogue, `models.<key>.<path>`, else the one in its code. */
export const ownText = (
  { request }: BaseController,
  { key }: Registration,
  path: string,
  otherwise: string,
  vars?: Record<string, unknown>,
): string => request.tOr(`models.${key}.${path}`, otherwise, vars);

/** What people call the records of a resource, in the language of a request. */
export const labelsFor = (controller: BaseController, registration: Registration): Labels =>
  registration.onceWithTexts(controller, "labels", () => ({
    one: ownText(controller, registration, "one", registration.labels.one),
    many: ownText(controller, registration, "many", registration.labels.many),
  }));

/** A label as it is written within a sentence of the request's language. */
export const inSentence = ({ request }: BaseController, label: string): string =>
  localeOf(request.locale).inSentence(label);

/** A number as the request's language writes it: "1,234". */
export const numberText = ({ request }: BaseController, value: number): string =>
  localeOf(request.locale).numbers.grouped(value);

/** How many records there are: by the plural forms `models.<key>.count_one`, `count_few`, … of a catalogue, else "5 posts"; `many` is what several are called. */
export function countText(controller: BaseController, of: Registration, { total, capped }: Counted, many?: string) {
  const labels = labelsFor(controller, of);
  const name = inSentence(controller, total === 1 ? labels.one : (many ?? labels.many));
  const vars = { count: total, total: numberText(controller, total) + (capped ? "+" : ""), name };
  const usual = controller.t("resource.count", vars);
  // Fast path: that a catalogue has no such text is looked up once for each language.
  const hasOwn = (form: string) => ownText(controller, of, `count${form}`, "") !== "";
  const isOwn = of.onceWithTexts(controller, "has counts", () => PLURAL_FORMS.some(hasOwn));
  return isOwn ? ownText(controller, of, "count", usual, vars) : usual;
}

/** What people call a list: below a parent as its association is called, for several may lead to one class. */
export const listLabel = (controller: BaseController, { registration, parent }: ResourceRoute): string =>
  parent
    ? associationLabel(controller, parent.registration, parent.association, registration)
    : labelsFor(controller, registration).many;

/** The name of an association; of one that is named after its class, what the class's records are called. */
export function associationLabel(
  controller: BaseController,
  owner: Registration,
  { name, target }: AssociationInfo,
  of: Registration,
): string {
  const isOfClass = name === pluralize(underscore(demodulize(target.constant)));
  return owner.onceWithTexts(controller, `association ${name} of ${of.key}`, () =>
    ownText(controller, owner, `fields.${name}`, isOfClass ? labelsFor(controller, of).many : humanize(name)),
  );
}

/** What an attribute is called: by the catalogue for its resource, by the definition, by the catalogue for its name, else by the name. */
export function fieldLabel(
  controller: BaseController,
  registration: Registration,
  attribute: Attribute,
  place: LabelPlace,
): string {
  const { name } = attribute;
  return registration.onceWithTexts(controller, `${place} label of ${name}`, () =>
    ownText(controller, registration, `fields.${name}`, labelIn(attribute, place) ?? commonLabel(controller, name)),
  );
}

function labelIn({ input, display, listed }: Attribute, place: LabelPlace): string | undefined {
  const said = place === "input" ? undefined : place === "display" ? display.label : listed.label;
  return said ?? input.label ?? display.label;
}
/** What a name is called wherever it comes, as `created_at`. */
export const commonLabel = ({ request }: BaseController, name: string): string =>
  request.tOr(`fields.${name}`, humanize(name));

/** A group of the sidebar: by the catalogue for the resource, else for the group, as `groups.people` of "People". */
export const groupText = (controller: BaseController, registration: Registration, group: string): string => {
  const common = controller.request.tOr(`groups.${group.toLowerCase().replaceAll(/\W+/g, "_")}`, group);
  return ownText(controller, registration, "group", common);
};

/** The groups of fields, called by the catalogue: `fieldsets.delivery` and `fieldset_texts.delivery` for "Delivery". */
export function fieldsetsFor(controller: BaseController, registration: Registration): readonly Fieldset[] {
  const { fieldsets } = registration.definition;
  if (fieldsets.length === 0) return fieldsets;
  return registration.onceWithTexts(controller, "fieldsets", () =>
    fieldsets.map((set) => {
      const key = set.label.toLowerCase().replaceAll(/\W+/g, "_");
      const text = ownText(controller, registration, `fieldset_texts.${key}`, set.text ?? "");
      const label = ownText(controller, registration, `fieldsets.${key}`, set.label);
      return { ...set, label, ...(text === "" ? {} : { text }) };
    }),
  );
}

/** What the catalogue calls the values of an attribute that has few; undefined where it names none of them. */
export function valueLabels(
  controller: BaseController,
  registration: Registration,
  name: string,
): ValueLabels | undefined {
  const found = registration.onceWithTexts(controller, `values of ${name}`, () =>
    labelsOfValues(controller, registration, name),
  );
  return found === none ? undefined : found;
}
const none: ValueLabels = Object.freeze({});

function labelsOfValues(controller: BaseController, registration: Registration, name: string): ValueLabels {
  const { model, definition } = registration;
  const given = [definition.inputs.get(name)?.choices, model.choices[name], model.columns.get(name)?.values];
  const values = given.flatMap((list) => (Array.isArray(list) ? list.map((one) => choiceOf(one).value) : []));
  const labels = Object.create(null) as Record<string, string>; // what is looked up in it may come from an address
  for (const value of new Set(values)) {
    const text = ownText(controller, registration, `values.${name}.${value}`, "");
    if (text !== "") labels[value] = text;
  }
  return Object.keys(labels).length > 0 ? labels : none;
}

/** Choices, called as the catalogue calls their values. */
export const namedChoices = <T extends { value: string; label: string }>(
  choices: readonly T[],
  labels: ValueLabels | undefined,
): readonly T[] =>
  labels
    ? choices.map((one) => (Object.hasOwn(labels, one.value) ? { ...one, label: labels[one.value]! } : one))
    : choices;
