import type { TapOnly } from "framewright/kernel";
import type { OpenApiHooks, Schema } from "framewright/plugins/openapi";
import { answerSearch } from "./search_page.ts";

const text: Schema = { type: "string" };
const found: Schema = {
  type: "object",
  required: ["data", "meta"],
  properties: {
    data: {
      type: "array",
      items: {
        type: "object",
        required: ["label", "resource", "url", "records"],
        properties: {
          label: text,
          resource: { ...text, description: "The path of the resource." },
          url: text,
          records: {
            type: "array",
            items: {
              type: "object",
              required: ["id", "label", "url"],
              properties: { id: { type: ["integer", "string"] }, label: text, line: text, url: text },
              additionalProperties: true,
            },
          },
        },
      },
    },
    meta: { type: "object", additionalProperties: true },
  },
};

/** Describes the search of a portal in its document of OpenAPI. */
export function describeSearch(hook: TapOnly<OpenApiHooks>["operation"]): void {
  hook.tap("search", ({ route, parts }) => {
    if (route.action !== answerSearch) return undefined;
    if (!parts.isSignedIn) return [];
    const q: Schema = { name: "q", in: "query", description: "A part of a name or of a text.", schema: text };
    return [
      {
        verb: "get",
        operation: {
          operationId: parts.operationId("searchEverywhere"),
          summary: "Search all lists",
          parameters: [q],
          responses: parts.answers({
            200: parts.json(
              "The latest records of each list that it was found in.",
              parts.schema("Found", () => found),
            ),
          }),
        },
      },
    ];
  });
}
