import { camelize } from "framewright/host";
import type { TapOnly } from "framewright/kernel";
import type { DescribedOperation, DescribedRoute, OpenApiHooks, Schema } from "framewright/plugins/openapi";
import { type BulkAction, bulkActionsOf } from "./bulk_action.ts";
import { MAX_CHOSEN_IN_RUN } from "./selection.ts";

const id: Schema = { type: ["integer", "string"] };
const named: Schema = {
  type: "object",
  required: ["id", "reason"],
  properties: { id, reason: { type: "string" } },
};
const turns: Schema = {
  type: "object",
  required: ["data"],
  properties: {
    data: {
      type: "object",
      required: ["done", "refused", "failed"],
      properties: {
        done: { type: "array", items: id },
        refused: { type: "array", items: named },
        failed: { type: "array", items: named },
      },
    },
  },
};
const ids: Schema = { type: "array", items: id, maxItems: MAX_CHOSEN_IN_RUN, description: "The records." };

/** Describes the actions on selected rows in documents of OpenAPI. */
export function describeBulk(hook: TapOnly<OpenApiHooks>["operation"]): void {
  hook.tap("bulk_actions", (route) => {
    if (route.route.action !== "runBulkAction" || !route.about) return undefined;
    const { registration } = route.about;
    const isOffered = ({ key, policy = key }: BulkAction) =>
      route.parts.may(registration, "index") && route.parts.may(registration, policy);
    return bulkActionsOf(registration)
      .filter(isOffered)
      .map((action) => describe(route, action));
  });
}

function describe({ about, parts, noun, path }: DescribedRoute, action: BulkAction): DescribedOperation {
  const { registration } = about!;
  const key = camelize(action.key);
  const body = parts.actionBody(registration, action, { ids });
  const answer = parts.json(
    "What became of each record.",
    parts.schema("BulkAnswer", () => turns),
  );
  const run = parts.json("It was started: `Location` has the address of the run.", {});
  return {
    path: `${path.replace("{action_key}", action.key)}.json`,
    verb: "post",
    operation: {
      operationId: parts.operationId(`${key.charAt(0).toLowerCase()}${key.slice(1)}Selected${noun}`),
      summary: `${key} of selected ${registration.labels.many}`,
      ...(body ? { requestBody: body } : {}),
      responses: parts.answers({ 200: answer, 202: run }, { body: true }),
    },
  };
}
