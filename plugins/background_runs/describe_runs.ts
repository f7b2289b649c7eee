import type { TapOnly } from "framewright/kernel";
import type { OpenApiHooks, Schema } from "framewright/plugins/openapi";

const count: Schema = { type: "integer" };
const time: Schema = { type: "string", format: "date-time" };
const problem: Schema = {
  type: "object",
  required: ["record", "text"],
  properties: {
    record: {
      type: ["string", "null"],
      description: "The record's id, or the place of what was sent; null for the whole.",
    },
    text: { type: "string" },
  },
};
const run: Schema = {
  type: "object",
  required: [
    "id",
    "action",
    "state",
    "total",
    "done",
    "refused",
    "failed",
    "reasons",
    "problems",
    "created_at",
    "finished_at",
  ],
  properties: {
    id: count,
    action: { type: "string" },
    state: { type: "string", enum: ["waiting", "running", "done", "failed", "cancelled"] },
    total: count,
    done: count,
    refused: count,
    failed: count,
    reasons: { type: "object", additionalProperties: count },
    problems: { type: "array", items: problem },
    created_at: time,
    finished_at: { ...time, type: ["string", "null"] },
  },
  additionalProperties: true,
};

/** Describes runs in the background in documents of OpenAPI. */
export function describeRuns(hook: TapOnly<OpenApiHooks>["operation"]): void {
  hook.tap("background_runs", ({ route, about, noun, parts }) => {
    const names = ["backgroundRuns", "backgroundRun", "cancelBackgroundRun"];
    if (!about || typeof route.action !== "string" || !names.includes(route.action)) return undefined;
    if (!parts.isSignedIn) return [];
    const shown = parts.schema("RunInBackground", () => run);
    const answer = (description: string, data: Schema) =>
      parts.json(description, { type: "object", required: ["data"], properties: { data } });
    const operation = (id: string, summary: string, ok: Schema) => ({
      operationId: parts.operationId(id),
      summary,
      responses: parts.answers({ 200: ok }, { record: true }),
    });
    const { many } = about.registration.labels;
    if (route.action === "backgroundRuns") {
      const runs = answer("The newest first.", { type: "array", items: shown });
      return [{ verb: "get", operation: operation(`list${noun}Runs`, `List runs in the background at ${many}`, runs) }];
    }
    if (route.action === "backgroundRun")
      return [
        { verb: "get", operation: operation(`get${noun}Run`, "Read how far a run is", answer("The run.", shown)) },
      ];
    const cancelled = operation(`cancel${noun}Run`, "Cancel the rest of a run", answer("The run.", shown));
    return [{ verb: "post", operation: cancelled }];
  });
}
