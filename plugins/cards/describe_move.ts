import type { DescribedOperation, DescribedRoute } from "framewright/plugins/openapi";

/** Describes a route by which a record is moved in a shape of its list, which writes one field: `by`. */
export function describeMove(
  { about, noun, parts }: DescribedRoute,
  { by, verb, summary }: { by: string; verb: string; summary: string },
): DescribedOperation[] {
  const { registration } = about!;
  const isListed = parts.names(registration, "Index").includes(by) && parts.names(registration, "Update").includes(by);
  if (!isListed || !parts.may(registration, "update")) return [];
  const written = parts.attribute(registration, by, "write") ?? {};
  const { key } = registration;
  const schema = {
    type: "object",
    required: [key],
    properties: {
      [key]: { type: "object", properties: { [by]: written } },
      lock_version: { type: ["string", "integer"], description: "The version that the record must have." },
    },
  };
  const ignored = { type: "object", properties: { ignored: { type: "array", items: { type: "string" } } } };
  const answer = {
    type: "object",
    required: ["data"],
    properties: { data: parts.record(registration, "Show"), meta: ignored },
  };
  const responses = parts.answers(
    { 200: parts.json("It was moved.", answer) },
    { body: true, record: true, conflict: true, invalid: true },
  );
  const requestBody = { required: true, content: { "application/json": { schema } } };
  const operationId = parts.operationId(`${verb}${noun}`);
  return [{ verb: "post", operation: { operationId, summary, requestBody, responses } }];
}
