import type { Operation, Schema } from "../../contract.ts";
import type { DescribedCall } from "./calls.ts";

const JSON_TYPE = "application/json";
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** An operation that takes one record or a list of them, as two: `createOrder` and `createOrders`. Others stay as they are. */
export function split(call: DescribedCall, calls: readonly DescribedCall[]): DescribedCall[] {
  const { operation, path } = call;
  const bodies = anyOf((operation.requestBody?.content as Content | undefined)?.[JSON_TYPE]?.schema);
  const [one, many] = bodies;
  if (bodies.length !== 2 || !one || !many || !isListOf(one, many)) return [call];
  const list = calls.find((other) => other.path === path && other.verb === "get")?.operation.operationId ?? "";
  const plural = operation.operationId.replace(/^create.*/, `create${list.replace(/^list/, "")}`);
  const operationId = plural === operation.operationId || plural === "create" ? `${operation.operationId}List` : plural;
  return [
    { ...call, operation: part(operation, 0, ["201"]) },
    { ...call, operation: { ...part(operation, 1, ["201", "202", "207"]), operationId, summary: "Create several" } },
  ];
}

const anyOf = (schema: Schema | undefined): readonly Schema[] => (schema?.anyOf as readonly Schema[] | undefined) ?? [];

/** Whether the second body is a list of what the first one has, under the same name. */
function isListOf(one: Schema, many: Schema): boolean {
  const [own, others] = [one, many].map(({ properties = {} }) => Object.entries(properties as Record<string, Schema>));
  return own?.length === 1 && others?.length === 1 && own[0]![0] === others[0]![0] && others[0]![1].type === "array";
}

/** The operation with one of its bodies, and what is answered to that. */
function part(operation: Operation, at: number, statuses: readonly string[]): Operation {
  const content = operation.requestBody!.content as Content;
  const { [JSON_TYPE]: json, ...forms } = content;
  const own = { [JSON_TYPE]: { schema: anyOf(json!.schema)[at]! }, ...(at === 0 ? forms : {}) };
  const responses = Object.entries(operation.responses).flatMap(([status, answer]) => {
    if (/^2/.test(status) && !statuses.includes(status)) return [];
    const choices = anyOf((answer.content as Content | undefined)?.[JSON_TYPE]?.schema);
    const schema = status === "201" ? choices[at] : undefined;
    return [[status, schema ? { ...answer, content: { [JSON_TYPE]: { schema } } } : answer] as const];
  });
  return {
    ...operation,
    requestBody: { ...operation.requestBody, content: own },
    responses: Object.fromEntries(responses),
  };
}
