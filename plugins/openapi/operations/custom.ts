import { type Application, camelize } from "framewright/host";
import { predicateOf, type ResourceRoute } from "framewright/plugins/resources";
import type {
  DescribedOperation,
  DescribedRoute,
  DocumentParts,
  Operation,
  OperationVerb,
  Schema,
} from "../contract.ts";

/** Whether code answers with JSON, by what it calls. */
const ANSWERS = /\.\s*(?:json|answerRecord|answerCreated|answerUpdated|head)\s*\(|\bjsonReply\s*\(/;

const anything: Schema = {
  description: "An answer of the application's own.",
  content: { "application/json": { schema: {} } },
};

/**
 * The operation of a route that the application has drawn for a controller of its own, and whose action answers with JSON: its
 * path and verb, whatever it takes and answers.
 */
export function customOperation(
  application: Application,
  { route, about, noun, parts }: DescribedRoute,
): DescribedOperation[] | undefined {
  const { action, verb, pattern, source, plugin } = route;
  const isOwn = about ? about.custom : typeof action === "string" && source === undefined && plugin === undefined;
  if (!isOwn || pattern === "/" || !ANSWERS.test(sourceOf(application, route))) return undefined;
  if (about?.custom && !mayRun(parts, about)) return [];
  const name = about?.custom ? camelize(about.custom.action) : camelize(pattern.replaceAll(/[^\w]+/g, "_"));
  const has = { record: about?.custom?.placement === "member", conflict: true, invalid: true, body: verb !== "GET" };
  const body = { content: { "application/json": { schema: { type: "object", additionalProperties: true } } } };
  const operation: Operation = {
    operationId: parts.operationId(`${verb.toLowerCase()}${noun}${name}`),
    summary: `${name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ")}${noun === "" ? "" : `: ${about!.registration.labels.one}`}`,
    description: `Drawn by the application${typeof action === "string" ? `, for its action \`${action}\`` : ""}.`,
    ...(verb === "GET" || verb === "DELETE" ? {} : { requestBody: body }),
    responses: parts.answers({ "2XX": anything, 303: { description: "Another address has the answer." } }, has),
  };
  return [{ verb: verb.toLowerCase() as OperationVerb, operation }];
}

function sourceOf(application: Application, route: DescribedRoute["route"]): string {
  const { action } = route;
  if (typeof action === "function") return String(action);
  const controller = application.controllerOf(route);
  return String((controller?.prototype as Record<string, unknown> | undefined)?.[action]);
}

/** Whether the policy may allow it: by its own predicate, or by the standard one that counts in its place. */
function mayRun(parts: DocumentParts, { registration, custom }: ResourceRoute): boolean {
  const { action, otherwise } = custom!;
  const isKnown = predicateOf(action) in registration.policyClass.prototype;
  return parts.may(registration, isKnown ? action : otherwise);
}
