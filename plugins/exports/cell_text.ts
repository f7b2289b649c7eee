import { documentText } from "framewright/plugins/database";
import { choiceOf } from "framewright/plugins/fields";
import {
  type Attribute,
  fieldLabel,
  isFileField,
  isSecret,
  namedChoices,
  type ResourceController,
  valueLabels,
} from "framewright/plugins/resources";
import type { Entry } from "framewright/plugins/resources/toolkit";
import { joinLabels } from "./csv_line.ts";

/** What a column is called in a table; of instants that they are in UTC. */
export function columnLabel(controller: ResourceController, attribute: Attribute): string {
  const name = fieldLabel(controller, controller.registration, attribute, "listed");
  return isInstant(attribute) ? controller.t("resource.export.utc", { column: name }) : name;
}

/** Whether the values of an attribute are moments, whose zone the header of an export names. */
export const isInstant = ({ column, input }: Attribute): boolean =>
  column?.type === "datetime" || input.as === "datetime";

/** The choices of an attribute, as people see them; undefined where it has no list of them. */
export function choicesOf(controller: ResourceController, { input, name, column }: Attribute) {
  const { registration } = controller;
  const choices = input.choices ?? registration.model.choices[name] ?? column?.values;
  if (!choices || typeof choices === "function") return undefined;
  return namedChoices(choices.map(choiceOf), valueLabels(controller, registration, name));
}

/**
 * The value of an attribute as programs read it: an instant in ISO 8601, an amount with a point, a choice by its value,
 * by which lists are filtered and which no translation changes, a record by its label. Of a secret there is nothing, of
 * a file its name.
 */
export function cellText(entry: Entry, attribute: Attribute): string {
  if (isSecret(attribute)) return "";
  if (attribute.source === "association") return labelsOf(entry, attribute);
  const { text } = attribute.types.display;
  if (attribute.handler && text) return textOf(entry.value(attribute), text);
  const value = isFileField(attribute) ? filenameOf(entry.value(attribute)) : entry.jsonValue(attribute);
  if (value === null || value === undefined) return "";
  if (Buffer.isBuffer(value)) return `${value.length} B`;
  return typeof value === "object" || isDocument(attribute) ? documentText(value) : String(value);
}

/** Whether the values are JSON, also those that are texts. */
const isDocument = (attribute: Attribute): boolean =>
  attribute.column?.type === "json" && (attribute.input.as ?? "json") === "json" && !isFileField(attribute);

const textOf = (value: unknown, text: (value: unknown) => string): string =>
  value === null || value === undefined ? "" : text(value);
const filenameOf = (file: unknown): unknown => (file as { filename?: unknown } | null | undefined)?.filename;

function labelsOf(entry: Entry, attribute: Attribute): string {
  const related = entry.related(attribute.name);
  if (related !== undefined) return related?.toLabel() ?? "";
  const many = [entry.labelled(entry.value(attribute)) ?? []].flat() as { toLabel(): string }[];
  return joinLabels(many.map((one) => one.toLabel()));
}
