import type { Registration } from "framewright/plugins/resources";
import type { Operation, Schema } from "../contract.ts";
import type { Parts } from "../parts.ts";
import { text } from "../schemas/values.ts";

const found: Schema = {
  type: "object",
  required: ["data", "meta"],
  properties: {
    data: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "label"],
        properties: {
          id: { type: ["integer", "string"] },
          label: text,
          line: { ...text, description: "What tells records of one name apart." },
          type: { ...text, description: "The model, where records of several may be chosen." },
          value: { ...text, description: "What is sent for it then." },
          group: text,
        },
      },
    },
    meta: {
      type: "object",
      required: ["more"],
      properties: { more: { type: "integer", description: "How many others there are." }, text },
    },
  },
};

/** The names of the associations whose records the reader may search for, to fill in a form. */
export function searchedAssociations(parts: Parts, registration: Registration): string[] {
  const { associations, polymorphic } = registration.model;
  const written = (["Create", "Update"] as const).flatMap((list) =>
    parts.may(registration, list.toLowerCase()) ? parts.names(registration, list) : [],
  );
  const isChosen = (name: string) =>
    !registration.definition.handlers.has(name) &&
    (polymorphic.has(name) ||
      associations.get(name)?.kind === "belongsTo" ||
      associations.get(name)?.through !== undefined);
  return [...new Set(written)].filter(isChosen);
}

/** `GET …/typeahead/{association}`: the records that may be chosen for an association. */
export function choicesOperation(parts: Parts, registration: Registration, noun: string): Operation | undefined {
  const names = searchedAssociations(parts, registration);
  if (names.length === 0) return undefined;
  return {
    operationId: parts.operationId(`search${noun}Choices`),
    summary: `Search what a ${registration.labels.one} may refer to`,
    parameters: [
      { name: "association", in: "path", required: true, schema: { type: "string", enum: names } },
      { name: "q", in: "query", description: "A part of its name.", schema: text },
    ],
    responses: parts.answers(
      {
        200: parts.json(
          "The first of them.",
          parts.schema("Choices", () => found),
        ),
      },
      { record: true },
    ),
  };
}
