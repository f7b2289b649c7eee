import { mostTelling } from "framewright/plugins/fields/toolkit";
import { type Attribute, isFileField, isLongText, isSecret } from "../definition/attributes.ts";
import type { FilterOptions } from "../definition/definition_options.ts";
import { Policy } from "../definition/policy.ts";
import { filterKind } from "./filter_operators.ts";
import { labelColumn } from "./label_column.ts";
import type { Registration } from "./registration.ts";

// What a list shows, searches and is filtered by where neither the policy nor the definition declares it.

const MAX_COLUMNS = 7;
const stamps = ["created_at", "updated_at"];

/**
 * The columns of a list's page: those of the policy's own `permittedAttributesForIndex`; without that at most the seven most
 * informative, the label first and one time stamp last, without long texts and documents. What the definition calls a column stays.
 */
export function listedColumns(registration: Registration, names: readonly string[]): readonly string[] {
  const { definition, policyClass } = registration;
  const isOwn = policyClass.prototype.permittedAttributesForIndex !== Policy.prototype.permittedAttributesForIndex;
  if (isOwn && definition.reorderedBy === undefined) return names;
  return registration.plan("listed columns", names, (kept) => {
    const shown = definition.withoutOrder(kept);
    return isOwn ? shown : columnsOf(registration, shown);
  });
}

function columnsOf(registration: Registration, names: readonly string[]): readonly string[] {
  const { columns: declared } = registration.definition;
  const label = labelColumn(registration.model);
  const stamp = stamps.find((name) => names.includes(name) && !declared.has(name));
  const listed = names
    .filter((name) => declared.has(name) || isListed(registration.attribute(name)))
    .sort((a, b) => Number(b === label) - Number(a === label));
  const free = listed.filter((name) => !declared.has(name));
  const kindOf = (name: string) => (name === label ? "label" : registration.attribute(name).listed.as);
  const kept = mostTelling(free, kindOf, MAX_COLUMNS - (stamp === undefined ? 0 : 1) - (listed.length - free.length));
  const chosen = listed.filter((name) => declared.has(name) || kept.includes(name));
  if (chosen.length === 0) return names;
  return stamp !== undefined && chosen.length < MAX_COLUMNS ? [...chosen, stamp] : chosen;
}

function isListed(attribute: Attribute): boolean {
  const { name, column, handler } = attribute;
  if (handler && !handler.isNew && !column) return false; // the rows of an association, which may be as long as a document
  if (stamps.includes(name) || isSecret(attribute)) return false;
  return isFileField(attribute) || !(isLongText(attribute) || ["json", "binary"].includes(column?.type ?? ""));
}

/** The columns that the search box looks in: the permitted ones with texts of one line. */
export const searchedColumns = (registration: Registration, permitted: readonly string[]): readonly string[] =>
  registration.definition.isSearchable
    ? registration.plan("searched columns", permitted, (kept) =>
        kept.filter((name) => isPlain(registration, name) && isLine(registration.attribute(name))),
      )
    : [];

function isLine(attribute: Attribute): boolean {
  const { column, source, types } = attribute;
  const isText = column?.type === "string" || (column?.type === "text" && !column.isOpaque && !isLongText(attribute));
  return isText && source === "column" && !types.input.needsChoices;
}

/** The filters of permitted names that the definition leaves out: of texts, choices, booleans, records, days and numbers. */
export const conventionalFilters = (
  registration: Registration,
  permitted: readonly string[],
): ReadonlyMap<string, FilterOptions> =>
  registration.plan("conventional filters", permitted, (kept) => {
    const { filters, unfiltered } = registration.definition;
    const isOpen = (name: string) => !filters.has(name) && !unfiltered.has(name) && isPlain(registration, name);
    const isOffered = (name: string) => isOpen(name) && filterKind(registration, name) !== undefined;
    return new Map(registration.definition.withoutOrder(kept.filter(isOffered)).map((name) => [name, {}]));
  });

/** Whether everybody who may read the list sees the values as they are stored. */
function isPlain(registration: Registration, name: string): boolean {
  const { definition, model } = registration;
  const isConditional = [definition.columns, definition.displays].some((fields) => fields.get(name)?.condition);
  return !isConditional && !model.encrypted.has(name) && !isSecret(registration.attribute(name));
}
