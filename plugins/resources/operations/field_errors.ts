import type { FieldErrors } from "framewright/host";
import { plainProblems, type ValidationError } from "framewright/plugins/database";
import { isTextKey, type Refused } from "framewright/plugins/fields/toolkit";
import { commonLabel, fieldLabel } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";

/** Errors of columns under the names that the form has for them; those of no field of it go to the whole. */
export function fieldErrors(
  controller: ResourceRequest,
  problems: ValidationError["problems"],
  names: readonly string[],
): FieldErrors {
  const errors: FieldErrors = {};
  for (const [column, list] of Object.entries(problems)) {
    const name = nameFor(controller, column, names);
    const texts = list.map(({ key, vars, message }) => controller.request.tOr(key, message, vars));
    const label = name === "base" && column !== "base" ? `${labelOf(controller, column)} ` : "";
    const shown = texts.map((text) => label + text);
    errors[name] = [...(errors[name] ?? []), ...shown];
  }
  return errors;
}

/** What people know a column by that has no field here. */
function labelOf(controller: ResourceRequest, column: string): string {
  const { registration } = controller;
  const name = registration.model.referencesBy(column)[0]?.name ?? column;
  return registration.model.columns.has(column)
    ? fieldLabel(controller, registration, registration.attribute(name), "display")
    : commonLabel(controller, column);
}

/** The problems of columns and rules with the fields that could be read, shown beside those that could not. */
export function ruleErrors(
  controller: ResourceRequest,
  columns: Record<string, unknown>,
  what: "insert" | "update",
  names: readonly string[],
): FieldErrors {
  const problems = plainProblems(controller.registration.model.class, columns, what);
  const { base: _, ...errors } = fieldErrors(controller, problems, names); // what no field enters, the model may still set itself
  return errors;
}

/** What is wrong with a record, where no form shows it: each field by its label. */
export function problemSentence(controller: ResourceRequest, { subject, problems }: ValidationError): string {
  const { registration } = controller;
  const isOwn = registration.model.lineage.some(({ constant }) => constant === subject);
  const seen = isOwn ? [...new Set([...controller.listOf("Index"), ...controller.listOf("Show")])] : [];
  const sentences = Object.entries(problems).map(([column, list]) => {
    const text = list.map(({ key, vars, message }) => controller.request.tOr(key, message, vars)).join(", ");
    if (column === "base") return text;
    const name = nameFor(controller, column, seen);
    const label =
      name === "base"
        ? commonLabel(controller, column)
        : fieldLabel(controller, registration, registration.attribute(name), "display");
    return `${label} ${text}`;
  });
  return sentences.join("; ");
}

function nameFor({ registration }: ResourceRequest, column: string, names: readonly string[]): string {
  if (names.includes(column)) return column;
  const behind = names.find((name) => {
    const { handler } = registration.attribute(name);
    return !handler && registration.model.columnsOf(name).includes(column);
  });
  return behind ?? "base";
}

/** The texts of what could not be read. */
export const refusedErrors = (controller: ResourceRequest, refused: Record<string, Refused>): FieldErrors =>
  Object.fromEntries(
    Object.entries(refused).map(([name, { problem, vars }]) => [
      name,
      [isTextKey(problem) ? controller.t(problem, vars) : problem],
    ]),
  );
