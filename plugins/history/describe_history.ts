import type { TapOnly } from "framewright/kernel";
import type { DescribedRoute, OpenApiHooks, Operation, Schema } from "framewright/plugins/openapi";

const text: Schema = { type: "string" };
const openText: Schema = { type: ["string", "null"] };
const entry = (more: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  required: ["at", "key", "person", ...Object.keys(more)],
  description: "A change, or what another plugin has of the record.",
  properties: {
    at: { type: "string", format: "date-time" },
    key: { ...text, description: "`history:12`: the plugin, and its own id." },
    person: openText,
    ...more,
    changes: { type: "object", description: "By attribute.", additionalProperties: true },
  },
  additionalProperties: true,
});
const meta: Schema = {
  type: "object",
  required: ["next"],
  properties: { next: { ...openText, description: "For `before`, where there is more." } },
};
const before: Schema = { name: "before", in: "query", description: "`next` of the page before.", schema: text };
const listOf = (items: Schema): Schema => ({
  type: "object",
  required: ["data", "meta"],
  properties: { data: { type: "array", items }, meta },
});

/** Describes what changed, of a record and in a portal, in documents of OpenAPI. */
export function describeHistory(hook: TapOnly<OpenApiHooks>["operation"]): void {
  hook.tap("history", (route) => {
    const { pattern, plugin, verb } = route.route;
    if (!route.about) {
      if (plugin !== "history" || pattern !== "/_history") return undefined;
      return route.parts.isSignedIn ? [{ verb: "get" as const, operation: inPortal(route) }] : [];
    }
    if (route.about.custom || !/\/history(?:\/(?:last|on|:entry_key\/revert))?$/.test(pattern)) return undefined;
    const { parts, about } = route;
    if (!parts.isSignedIn) return [];
    if (pattern.endsWith("/history"))
      return parts.may(about.registration, "show") ? [{ verb: "get" as const, operation: ofRecord(route) }] : [];
    if (verb === "POST" && parts.may(about.registration, "update"))
      return [{ verb: "post" as const, operation: reverted(route) }];
    return []; // parts of pages
  });
}

function ofRecord({ about, noun, parts }: DescribedRoute): Operation {
  const change = parts.schema("RecordHistoryEntry", () => entry({}));
  const answer = parts.json("The newest first.", listOf(change));
  return {
    operationId: parts.operationId(`list${noun}History`),
    summary: `List the changes of a ${about!.registration.labels.one}`,
    parameters: [before],
    responses: parts.answers({ 200: answer }, { record: true, invalid: true }),
  };
}

function inPortal({ parts }: DescribedRoute): Operation {
  const change = parts.schema("PortalHistoryEntry", () => entry({ model: text, record: text, label: text }));
  return {
    operationId: parts.operationId("listHistory"),
    summary: "List the changes of all records",
    tags: ["History"],
    parameters: [before],
    responses: parts.answers({ 200: parts.json("The newest first.", listOf(change)) }, { invalid: true }),
  };
}

function reverted({ about, noun, parts }: DescribedRoute): Operation {
  const { registration } = about!;
  const data = parts.record(registration, "Show");
  const own = { type: "object", properties: { ignored: { type: "array", items: text } } };
  const answer = parts.json("It was taken back.", {
    type: "object",
    required: ["data"],
    properties: { data, meta: own },
  });
  const body: Schema = {
    type: "object",
    properties: {
      field: { ...text, description: "The attribute alone that is taken back." },
      lock_version: { type: ["string", "integer"] },
    },
  };
  return {
    operationId: parts.operationId(`revert${noun}`),
    summary: `Take a change of a ${registration.labels.one} back`,
    requestBody: { content: { "application/json": { schema: body } } },
    responses: parts.answers({ 200: answer }, { body: true, record: true, conflict: true, invalid: true }),
  };
}
