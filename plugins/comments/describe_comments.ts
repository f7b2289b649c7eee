import type { TapOnly } from "framewright/kernel";
import type {
  DescribedOperation,
  DescribedRoute,
  OpenApiHooks,
  Operation,
  OperationVerb,
  Schema,
} from "framewright/plugins/openapi";
import { MAX_TEXT } from "./sent_comment.ts";

const text: Schema = { type: "string" };
const comment: Schema = {
  type: "object",
  required: ["id", "text", "internal", "person", "own", "mentions", "at", "edited_at"],
  properties: {
    id: { type: "integer" },
    text,
    internal: { type: "boolean", description: "Not for everybody who reads the record." },
    person: { ...text, description: "What its author is called." },
    own: { type: "boolean", description: "Whether it is the account's own." },
    mentions: { type: "array", items: text },
    at: { type: "string", format: "date-time" },
    edited_at: { type: ["string", "null"], format: "date-time" },
  },
};
const sent: Schema = {
  type: "object",
  required: ["text"],
  properties: {
    text: { type: "string", minLength: 1, maxLength: MAX_TEXT },
    internal: { type: "boolean" },
    mentions: {
      type: "array",
      items: { type: ["integer", "string"] },
      description: "The ids of people whom the text names.",
    },
  },
};
const dataOf = (data: Schema, more: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: "object",
  required: ["data", ...Object.keys(more)],
  properties: { data, ...more },
});

/** Describes comments of records in documents of OpenAPI. */
export function describeComments(hook: TapOnly<OpenApiHooks>["operation"]): void {
  hook.tap("comments", (route) => {
    const [, below] = /\/_comments(\/.*)?$/.exec(route.route.pattern) ?? [];
    if (!route.about || route.about.custom || !/\/_comments(?:\/|$)/.test(route.route.pattern)) return undefined;
    if (!route.parts.isSignedIn || !route.parts.may(route.about.registration, "show")) return [];
    const verb = route.route.verb.toLowerCase() as OperationVerb;
    const found = operationOf(route, `${verb} ${below ?? ""}`);
    return found ? [{ verb, operation: found } satisfies DescribedOperation] : [];
  });
}

function operationOf({ about, noun, parts }: DescribedRoute, name: string): Operation | undefined {
  const { one } = about!.registration.labels;
  const shown = () => parts.schema("RecordComment", () => comment);
  const body = (schema: Schema) => ({ required: true, content: { "application/json": { schema } } });
  const query = (field: string, schema: Schema, description: string) => ({
    name: field,
    in: "query",
    schema,
    description,
  });
  const operation = (id: string, summary: string, more: Omit<Operation, "operationId" | "summary">): Operation => ({
    operationId: parts.operationId(id.replace("*", noun)),
    summary,
    ...more,
  });
  const write = { body: true, record: true };
  switch (name) {
    case "get ": {
      const next = { type: ["integer", "null"], description: "For `before`, where there are older ones." };
      const meta = { type: "object", required: ["next"], properties: { next } };
      const answer = parts.json("The newest first.", dataOf({ type: "array", items: shown() }, { meta }));
      const before = query("before", { type: "integer" }, "The id of a comment: those before it.");
      return operation("list*Comments", `List comments on a ${one}`, {
        parameters: [before],
        responses: parts.answers({ 200: answer }, { record: true }),
      });
    }
    case "post ":
      return operation("create*Comment", `Comment on a ${one}`, {
        requestBody: body(sent),
        responses: parts.answers({ 201: parts.json("It was stored.", dataOf(shown())) }, write),
      });
    case "get /people": {
      const person = { type: "object", required: ["id", "label"], properties: { id: text, label: text } };
      const answer = parts.json("The first of them.", dataOf({ type: "array", items: person }));
      return operation("search*CommentPeople", "Search who may be mentioned", {
        parameters: [
          query("q", text, "A part of the name."),
          query("internal", { type: "string", enum: ["1"] }, "Of an internal comment."),
        ],
        responses: parts.answers({ 200: answer }, { record: true, invalid: true }),
      });
    }
    case "post /follow": {
      const follow = { type: "object", properties: { follow: { type: "string", enum: ["0", "1"] } } };
      const following = { type: "object", required: ["following"], properties: { following: { type: "boolean" } } };
      return operation("follow*", `Follow the comments on a ${one}`, {
        requestBody: body(follow),
        responses: parts.answers({ 200: parts.json("Whether it is followed.", dataOf(following)) }, write),
      });
    }
    case "patch /:comment_key":
      return operation("update*Comment", "Change a comment", {
        requestBody: body(sent),
        responses: parts.answers({ 200: parts.json("It was changed.", dataOf(shown())) }, write),
      });
    case "delete /:comment_key":
      return operation("delete*Comment", "Delete a comment", {
        responses: parts.answers({ 204: { description: "It was deleted." } }, { record: true }),
      });
    default:
      return undefined; // a page for people
  }
}
