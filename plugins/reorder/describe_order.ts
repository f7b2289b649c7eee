import type { TapOnly } from "framewright/kernel";
import type { OpenApiHooks, Schema } from "framewright/plugins/openapi";

const id: Schema = { type: ["integer", "string"] };

/** Describes how rows are moved, in documents of OpenAPI. */
export function describeOrder(hook: TapOnly<OpenApiHooks>["operation"]): void {
  hook.tap("reorder", ({ route, about, noun, parts }) => {
    const column = about?.registration.definition.reorderedBy;
    if (!about?.answer || column === undefined || !route.pattern.endsWith("/order")) return undefined;
    const { registration } = about;
    if (!parts.may(registration, "update") || !parts.names(registration, "Update").includes(column)) return [];
    const body: Schema = {
      type: "object",
      description: "One of them.",
      properties: {
        before: { ...id, description: "The row that it comes before." },
        after: { ...id, description: "The row that it comes after." },
        move: { type: "string", enum: ["up", "down"] },
      },
    };
    const data = {
      type: "object",
      required: ["id", column],
      properties: { id: parts.key(registration.model), [column]: { type: "integer" } },
    };
    const moved = parts.json("Where it is now.", { type: "object", required: ["data"], properties: { data } });
    const kinds = { body: true, record: true, conflict: true, invalid: true };
    const operation = {
      operationId: parts.operationId(`order${noun}`),
      summary: `Move a ${registration.labels.one} within the order`,
      requestBody: { required: true, content: { "application/json": { schema: body } } },
      responses: parts.answers({ 200: moved }, kinds),
    };
    return [{ verb: "post", operation }];
  });
}
