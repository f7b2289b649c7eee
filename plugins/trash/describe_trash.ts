import type { TapOnly } from "framewright/kernel";
import type { DescribedOperation, DescribedRoute, OpenApiHooks, Schema } from "framewright/plugins/openapi";

const id: Schema = { type: ["integer", "string"] };
const texts: Schema = { type: "array", items: { type: "string" } };

/** Describes the trash of lists in documents of OpenAPI. */
export function describeTrash(hook: TapOnly<OpenApiHooks>["operation"]): void {
  hook.tap("trash", (route) => {
    const { pattern, verb } = route.route;
    if (!route.about || route.about.custom || !/\/trash(?:$|\/:trash_ids\/restore$)/.test(pattern)) return undefined;
    if (!route.parts.isSignedIn || !route.parts.may(route.about.registration, "index")) return [];
    if (!pattern.endsWith("/trash")) return []; // the button of a message is for people
    return [verb === "GET" ? listed(route) : changed(route)];
  });
}

function listed({ about, noun, parts }: DescribedRoute): DescribedOperation {
  const { registration } = about!;
  const names = parts.names(registration, "Index").filter((name) => name !== "id");
  const own = names.map((name) => [name, parts.attribute(registration, name, "read") ?? {}] as const);
  const record: Schema = {
    type: "object",
    required: ["deleted_at", "deleted_by"],
    properties: {
      id: parts.key(registration.model),
      ...Object.fromEntries(own),
      deleted_at: { type: ["string", "null"], format: "date-time" },
      deleted_by: { type: ["string", "null"], description: "What who deleted it is called." },
    },
    additionalProperties: true,
  };
  const meta: Schema = {
    type: "object",
    required: ["page", "per_page", "has_more"],
    properties: { page: { type: "integer" }, per_page: { type: "integer" }, has_more: { type: "boolean" } },
  };
  const data = { type: "array", items: record };
  const answer = { type: "object", required: ["data", "meta"], properties: { data, meta } };
  const page = { name: "page", in: "query", schema: { type: "integer", minimum: 1, default: 1 } };
  const operation = {
    operationId: parts.operationId(`list${noun}Trash`),
    summary: `List deleted ${registration.labels.many}`,
    parameters: [page],
    responses: parts.answers({ 200: parts.json("The last deleted first.", answer) }, { invalid: true }),
  };
  return { verb: "get", operation };
}

function changed({ about, noun, parts }: DescribedRoute): DescribedOperation {
  const left: Schema = {
    type: "object",
    required: ["id", "reason", "errors"],
    properties: { id, reason: { type: "string" }, errors: { type: "object", additionalProperties: texts } },
  };
  const data: Schema = {
    type: "object",
    required: ["done", "left"],
    properties: { done: { type: "array", items: id }, left: { type: "array", items: left } },
  };
  const body: Schema = {
    type: "object",
    required: ["operation", "ids"],
    properties: {
      operation: { type: "string", enum: ["restore", "purge"], description: "`purge` deletes them for good." },
      ids: { type: "array", items: id, minItems: 1, maxItems: 100 },
    },
  };
  const answer = parts.json("What became of them.", { type: "object", required: ["data"], properties: { data } });
  const operation = {
    operationId: parts.operationId(`change${noun}Trash`),
    summary: `Restore deleted ${about!.registration.labels.many}, or delete them for good`,
    requestBody: { required: true, content: { "application/json": { schema: body } } },
    responses: parts.answers({ 200: answer }, { body: true, record: true, conflict: true }),
  };
  return { verb: "post", operation };
}
