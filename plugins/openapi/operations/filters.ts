import type { Registration } from "framewright/plugins/resources";
import { filterKind, filterOperators, handledFilter } from "framewright/plugins/resources/lists";
import type { DocumentParts, Schema } from "../contract.ts";
import { listedChoices } from "../schemas/entered.ts";
import { decimalText, keySchema, text, timeOfDay } from "../schemas/values.ts";

const days = [
  ...["today", "yesterday", "before_today", "this_week", "last_7_days", "last_30_days", "next_7_days"],
  ...["this_month", "last_month", "this_year"],
];
const meanings: Readonly<Record<string, string>> = {
  any: "One of these.",
  not: "Another value, or none.",
  empty: "1 for none, 0 for any.",
  is: "This value; of a moment the day.",
  from: "This value or a greater one.",
  to: "This value or a lesser one.",
  in: "Days that move with the calendar.",
  contains: "A part of it.",
  begins: "Its beginning.",
  ends: "Its end.",
};

type Kind = NonNullable<ReturnType<typeof filterKind>>;

/** The parameters by which a list is filtered by a name: the value, and one for each operator. */
export function filterParameters(
  parts: DocumentParts,
  registration: Registration,
  noun: string,
  name: string,
): Schema[] {
  const { filters } = registration.definition;
  const declared = (filters.get(name) ?? {}) as Readonly<Record<string, unknown>>;
  const query = (path: string, schema: Schema, description: string): Schema =>
    parts.parameter(`${noun}_filter_${name}${path === "" ? "" : `_${path.replace(/\W/g, "")}`}`, () => ({
      name: `filter[${name}]${path}`,
      in: "query",
      description,
      schema,
    }));
  if ("inputs" in declared)
    return Object.keys(declared.inputs as object).map((input) => query(`[${input}]`, text, `Narrows by "${name}".`));
  const kind = declared.apply ? undefined : filterKind(registration, name);
  const value = valueSchema(registration, name, kind, declared);
  if (kind === undefined) return [query("", value, `Narrows by "${name}".`)];
  const own = query(
    "",
    value,
    kind === "text" ? "A part of it; in place of its operators." : "This value; in place of its operators.",
  );
  const chosen = handledFilter(registration, name)?.choice?.operator;
  return [own, ...operatorsOf(kind).map((operator) => ofOperator(operator)), ...(chosen ? [ofOperator(chosen)] : [])];

  function ofOperator(operator: string): Schema {
    const meaning = meanings[operator] ?? `Narrows by "${name}".`;
    const isList = operator === "any" || operator === chosen;
    if (isList)
      return query(
        `[${operator}][]`,
        { type: "array", items: operator === chosen ? text : value, maxItems: 100 },
        meaning,
      );
    if (operator === "empty") return query("[empty]", { type: "string", enum: ["0", "1"] }, meaning);
    if (operator === "in") return query("[in]", { type: "string", enum: days }, meaning);
    return query(`[${operator}]`, value, meaning);
  }
}

const operatorsOf = (kind: Kind): readonly string[] => filterOperators[kind];

function valueSchema(
  registration: Registration,
  name: string,
  kind: Kind | undefined,
  declared: Readonly<Record<string, unknown>>,
): Schema {
  const { model } = registration;
  const association = model.associations.get(name);
  if (association) return keySchema(association.target);
  const choices =
    listedChoices(declared.choices) ??
    (declared.choices ? undefined : (model.choices[name] ?? model.columns.get(name)?.values));
  if (choices && (kind === "choice" || kind === undefined)) return { type: "string", enum: choices };
  switch (kind) {
    case "boolean":
      return { type: "boolean" };
    case "date":
    case "datetime":
      return { type: "string", format: "date" };
    case "time":
      return timeOfDay;
    case "number":
      return model.columns.get(name)?.type === "integer" ? { type: "integer" } : decimalText();
    default:
      return text;
  }
}
