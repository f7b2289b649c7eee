import type { OpenApiDocument } from "../../contract.ts";

type Check = (value: unknown, at: string) => string | undefined;
type Shape = Readonly<Record<string, Check>>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const pointer = (at: string, key: string) => `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** An object whose members of these names have their shapes; others may be anything. */
const object =
  (shape: () => Shape): Check =>
  (value, at) => {
    if (!isObject(value)) return at;
    for (const [key, check] of Object.entries(shape())) {
      const found = value[key] === undefined ? undefined : check(value[key], pointer(at, key));
      if (found !== undefined) return found;
    }
  };
const each = (entries: Iterable<readonly [string, unknown]>, check: Check, at: string): string | undefined => {
  for (const [key, one] of entries) {
    const found = check(one, pointer(at, key));
    if (found !== undefined) return found;
  }
};
const map =
  (check: Check): Check =>
  (value, at) =>
    isObject(value) ? each(Object.entries(value), check, at) : at;
const list =
  (check: Check): Check =>
  (value, at) =>
    Array.isArray(value)
      ? each(
          value.map((one, index) => [String(index), one] as const),
          check,
          at,
        )
      : at;
const text: Check = (value, at) => (typeof value === "string" ? undefined : at);
const anything: Check = () => undefined;
const texts: Check = (value, at) => (Array.isArray(value) ? list(text)(value, at) : text(value, at));

const schema: Check = (value, at) => (typeof value === "boolean" ? undefined : schemaObject(value, at));
const schemaObject = object(() => ({
  ...{ $ref: text, type: texts, enum: list(anything), required: list(text), properties: map(schema), items: schema },
  ...{ anyOf: list(schema), oneOf: list(schema), allOf: list(schema), additionalProperties: schema },
}));
const content = map(object(() => ({ schema })));
const parameter = object(() => ({ $ref: text, name: text, in: text, schema }));
const operation = object(() => ({
  ...{ operationId: text, summary: text, tags: list(text), parameters: list(parameter) },
  ...{ requestBody: object(() => ({ $ref: text, content })), responses: map(object(() => ({ $ref: text, content }))) },
}));
const verbs = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const path = object(() => ({
  parameters: list(parameter),
  ...Object.fromEntries(verbs.map((verb) => [verb, operation])),
}));
const whole = object(() => ({
  paths: map(path),
  components: object(() => ({
    ...{ schemas: map(schema), parameters: map(parameter), responses: map(object(() => ({ $ref: text, content }))) },
  })),
}));

/** Where a document has something of another shape than OpenAPI allows, as the JSON pointer `#/paths/~1posts/get`. */
export const malformed = (document: OpenApiDocument): string | undefined => whole(document, "#");
