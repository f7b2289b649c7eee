import { type DeclaredField, isRequired } from "framewright/plugins/fields";
import type { Registration, ResourceAction } from "framewright/plugins/resources";
import type { DocumentParts, Schema } from "../contract.ts";

/** The inputs of an action as a body has them: JSON, and a form where one of them is a file. Undefined for an action without inputs. */
export function interactionBody(
  parts: DocumentParts,
  registration: Registration,
  action: ResourceAction,
  more: Readonly<Record<string, Schema>> = {},
): Schema | undefined {
  const attributes = Object.entries(action.interaction?.attributes ?? {}) as [
    string,
    Record<string, unknown> & { as: string },
  ][];
  if (attributes.length === 0 && Object.keys(more).length === 0) return undefined;
  const fieldsOf = (direction: "write" | "form") =>
    attributes.map(([name, declared]) => [name, parts.field(name, declared, { direction, registration })] as const);
  const needed = attributes.filter(
    ([, declared]) =>
      isRequired(declared as unknown as DeclaredField) &&
      declared.condition === undefined &&
      declared.default === undefined,
  );
  const inputs: Schema = {
    type: "object",
    ...(needed.length > 0 ? { required: needed.map(([name]) => name) } : {}),
    properties: Object.fromEntries(fieldsOf("write")),
  };
  const own = attributes.length > 0 ? { interaction: inputs } : {};
  const required = [...Object.keys(more), ...(needed.length > 0 ? ["interaction"] : [])];
  const json: Schema = {
    type: "object",
    ...(required.length > 0 ? { required } : {}),
    properties: { ...more, ...own },
  };
  const form = fieldsOf("form").filter(
    ([, schema]) => typeof schema.type === "string" && !["object", "array"].includes(schema.type),
  );
  const hasFile = form.some(([, { format }]) => format === "binary");
  const multipart = {
    type: "object",
    properties: Object.fromEntries(form.map(([name, schema]) => [`interaction[${name}]`, schema])),
  };
  return {
    ...(required.length > 0 ? { required: true } : {}),
    content: {
      "application/json": { schema: json },
      ...(hasFile ? { "multipart/form-data": { schema: multipart } } : {}),
    },
  };
}
