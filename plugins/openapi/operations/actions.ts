import { camelize } from "framewright/host";
import { Interaction, type Registration, type ResourceAction } from "framewright/plugins/resources";
import type { DescribedOperation, Operation, Schema } from "../contract.ts";
import type { Parts } from "../parts.ts";
import { interactionBody } from "./action_body.ts";
import type { Named } from "./records.ts";

const done: Schema = {
  type: "object",
  required: ["data"],
  properties: {
    data: {
      type: "object",
      required: ["ok", "message"],
      properties: { ok: { type: "boolean", const: true }, message: { type: ["string", "null"] } },
    },
  },
};
const run: Schema = {
  type: "object",
  required: ["data"],
  properties: {
    data: {
      type: "object",
      description: "A run in the background; the header `Location` has its address.",
      required: ["id", "state"],
      properties: { id: { type: "integer" }, state: { type: "string" }, total: { type: ["integer", "null"] } },
      additionalProperties: true,
    },
  },
};

/** Whether an action may be run by `POST`. */
export const isRun = (action: ResourceAction): boolean => action.interaction !== undefined;

/** The operation of an action: what it takes, and what comes of it. */
export function actionOperation(
  parts: Parts,
  registration: Registration,
  action: ResourceAction,
  { noun }: Named,
): Operation {
  const { key, interaction, description } = action;
  const requestBody = interactionBody(parts, registration, action);
  const label = action.label ?? interaction?.presents.label;
  const text = description ?? interaction?.presents.description;
  return {
    operationId: parts.operationId(`${lowerFirst(camelize(key))}${noun}`),
    summary:
      typeof label === "string"
        ? label
        : `${camelize(key).replace(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}: ${registration.labels.one}`,
    ...(typeof text === "string" ? { description: text } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: parts.answers(answersOf(parts, action), { body: true, record: true, conflict: true, invalid: true }),
  };
}

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

function answersOf(parts: Parts, { interaction }: ResourceAction): Record<string, Schema> {
  const { download, inBackground, prototype } = interaction!;
  const ok = parts.json(
    "It is done.",
    parts.schema("ActionDone", () => done),
  );
  if (inBackground) {
    const headers = { Location: { description: "The address of the run.", schema: { type: "string" } } };
    return {
      202: parts.json(
        "It was started.",
        parts.schema("BackgroundRun", () => run),
        headers,
      ),
    };
  }
  if (download)
    return { 200: { description: "A file.", content: { "*/*": { schema: { type: "string", format: "binary" } } } } };
  const answersItself =
    prototype.afterCommit !== Interaction.prototype.afterCommit &&
    /\bcontroller\s*\.\s*(?:json|render|answer|head|sendFile|redirectTo)\b/.test(String(prototype.afterCommit));
  return answersItself
    ? {
        200: ok,
        "2XX": { description: "An answer of the application's own.", content: { "application/json": { schema: {} } } },
      }
    : { 200: ok };
}

/** `POST` of each action, in the place of a route with `:action_key`. */
export function actionOperations(
  parts: Parts,
  registration: Registration,
  { path, named, isCollection, isSingle }: { path: string; named: Named; isCollection: boolean; isSingle: boolean },
): DescribedOperation[] {
  return [...registration.definition.actions.values()].flatMap((action) => {
    const isHere = isSingle || (action.resourceAction === true) === isCollection;
    if (!isRun(action) || !isHere || !parts.may(registration, action.policy ?? action.key)) return [];
    const at = `${path.replace("{action_key}", action.key)}.json`;
    return [{ path: at, verb: "post" as const, operation: actionOperation(parts, registration, action, named) }];
  });
}
