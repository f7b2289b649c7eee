import type { OpenApiDocument, Operation, Schema } from "framewright/plugins/openapi";
import { type Parameter, querySchemas } from "./parameters.ts";
import { resolved } from "./resolved.ts";

interface InputSource {
  readonly document: OpenApiDocument;
  readonly parameters: readonly Parameter[];
  readonly operation: Operation;
  readonly isRead: boolean;
  /** The most records that one call writes. */
  readonly bulk: number;
}

/** The argument by which a write is confirmed. */
export const CONFIRMATION = "confirmation";
const confirmation: Schema = {
  type: "string",
  description:
    "From the answer to the same call without it: the call is carried out. It counts once, for five minutes.",
};

/**
 * The schema of a tool's arguments, complete in itself: parameters of the path and the query, and the properties of the body, side
 * by side; and the names of the body.
 */
export function inputSchema({ document, parameters, operation, isRead, bulk }: InputSource): {
  schema: Schema & { type: "object" };
  body: ReadonlySet<string> | undefined;
} {
  const path = parameters.filter((one) => one.in === "path");
  const content = (operation.requestBody?.content ?? {}) as Record<string, { schema?: Schema }>;
  const sent = content["application/json"]?.schema;
  const { properties: own, required: sentNames } = bodySchemas(document, sent);
  for (const [name, schema] of Object.entries(own)) own[name] = withinLimit(schema, bulk);
  const properties = {
    ...Object.fromEntries(path.map(({ name, schema = {}, description }) => [name, described(schema, description)])),
    ...querySchemas(parameters),
    ...own,
    ...(isRead ? {} : { [CONFIRMATION]: confirmation }),
  };
  const required = [...new Set([...path.map(({ name }) => name), ...sentNames])];
  const definitions = definitionsOf(document, properties);
  const schema: Schema = {
    type: "object",
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}),
  };
  return { schema: localized(schema) as Schema & { type: "object" }, body: sent && new Set(Object.keys(own)) };
}

/** The properties of a body. Of one that is sent in several forms, as one record or a list, each takes what any of them does. */
function bodySchemas(
  document: OpenApiDocument,
  sent: Schema | undefined,
): { properties: Record<string, Schema>; required: readonly string[] } {
  const body = sent && resolved(document, sent);
  const forms = ((body?.anyOf ?? [body ?? {}]) as Schema[]).map((form) => resolved(document, form));
  const found = new Map<string, Schema[]>();
  for (const { properties = {} } of forms)
    for (const [name, schema] of Object.entries(properties as Record<string, Schema>))
      found.set(name, [...(found.get(name) ?? []), schema]);
  const [first = [], ...others] = forms.map(({ required = [] }) => required as readonly string[]);
  return {
    properties: Object.fromEntries(
      [...found].map(([name, schemas]) => [name, schemas.length === 1 ? schemas[0]! : { anyOf: schemas }]),
    ),
    required: first.filter((name) => others.every((names) => names.includes(name))),
  };
}

/** A list of the body takes as many as one call writes. */
const withinLimit = (schema: Schema, bulk: number): Schema =>
  schema.type === "array" ? { ...schema, maxItems: Math.min(bulk, Number(schema.maxItems ?? bulk)) } : schema;

const described = (schema: Schema, description: string | undefined): Schema =>
  description === undefined ? schema : { description, ...schema };

const REFERENCE = "#/components/schemas/";

/** The shared schemas that others refer to, and those that these refer to. */
function definitionsOf({ components }: OpenApiDocument, from: unknown): Record<string, Schema> {
  const found = new Map<string, Schema>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { $ref } = value as Schema;
    const name = typeof $ref === "string" && $ref.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined;
    if (name === undefined) for (const one of Object.values(value)) visit(one);
    else if (!found.has(name)) {
      found.set(name, components.schemas[name] ?? {});
      visit(found.get(name));
    }
  };
  visit(from);
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The same, with references to its own definitions. */
function localized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(localized);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === "$ref" && typeof one === "string" ? one.replace(REFERENCE, "#/$defs/") : localized(one),
    ]),
  );
}
