import type { TapOnly } from "framewright/kernel";
import type { OpenApiHooks, Operation, Schema } from "framewright/plugins/openapi";

interface Described {
  readonly most: number;
  readonly mostInBackground: number;
  readonly inBackground: boolean;
}
const errors: Schema = {
  type: "object",
  description: "What is wrong, by field.",
  additionalProperties: { type: "array", items: { type: "string" } },
};

/** Describes lists of records in `POST` of a list, in documents of OpenAPI. */
export function describeBulkCreate(hook: TapOnly<OpenApiHooks>["described"], limits: Described): void {
  hook.tap("bulk_create", (operation, { route, about, parts }) => {
    const isOne = about?.parent ? about.parent.association.kind === "hasOne" : about?.registration.singular;
    const one = bodyOf(operation);
    if (route.action !== "create" || !about || isOne || !one) return operation;
    const { key } = about.registration;
    const written = (one.properties as Record<string, Schema>)[key]!;
    const shown = shownOf(operation);
    const maxItems = limits.inBackground ? Math.max(limits.most, limits.mostInBackground) : limits.most;
    const list: Schema = { type: "array", items: written, minItems: 1, maxItems };
    const several = { type: "object", required: [key], properties: { [key]: list } };
    const all: Schema = {
      type: "object",
      required: ["data", "meta"],
      properties: {
        data: { type: "array", items: shown },
        meta: parts.schema("BulkCreateMeta", () => ({
          type: "object",
          required: ["total"],
          properties: {
            total: { type: "integer" },
            ignored: {
              type: "array",
              items: { type: "string" },
              description: "Attributes that were sent and not written, as `1.colour` of the second record.",
            },
          },
        })),
      },
    };
    const created: Schema = {
      type: "object",
      required: ["status", "data"],
      properties: {
        status: { type: "integer", const: 201 },
        data: shown,
        location: { type: "string" },
        ignored: { type: "array", items: { type: "string" } },
      },
    };
    const refused = parts.schema("BulkCreateProblem", () => ({
      type: "object",
      required: ["status", "message", "errors"],
      properties: { status: { type: "integer", minimum: 400 }, message: { type: "string" }, errors },
    }));
    const each: Schema = {
      type: "object",
      required: ["data", "meta"],
      properties: {
        data: { type: "array", items: { anyOf: [created, refused] } },
        meta: parts.schema("BulkCreateCounts", () => ({
          type: "object",
          required: ["created", "failed"],
          properties: { created: { type: "integer" }, failed: { type: "integer" } },
        })),
      },
    };
    const prefer = parts.parameter("PreferBulk", () => preferOf(limits));
    return {
      ...operation,
      parameters: [
        ...(operation.parameters ?? []).filter(({ $ref }) => $ref !== "#/components/parameters/Prefer"),
        prefer,
      ],
      requestBody: withJson(operation.requestBody!, { anyOf: [one, several] }),
      responses: {
        ...operation.responses,
        201: withJson(operation.responses[201]!, { anyOf: [jsonOf(operation.responses[201]), all] }),
        207: parts.json("What became of each record.", each),
        ...(limits.inBackground
          ? { 202: parts.json("It was started: `Location` has the address of the run.", {}) }
          : {}),
      },
    };
  });
}

const preferOf = ({ most, mostInBackground, inBackground }: Described): Schema => {
  const attributes =
    "`handling=strict`: attributes that are unknown or not permitted are 422, and nothing is written; else `meta.ignored` names them.";
  const records = `A list of at most ${most} records is created as a whole or not at all; with \`continue-on-error\` each by itself: 207.`;
  const background = `\`respond-async\` leaves at most ${mostInBackground} records to a run in the background: 202.`;
  return {
    name: "Prefer",
    in: "header",
    description: [attributes, records, ...(inBackground ? [background] : [])].join(" "),
    schema: { type: "string", examples: ["handling=strict", "continue-on-error"] },
  };
};

type Content = Readonly<Record<string, { readonly schema: Schema }>>;
const jsonOf = (described: Schema | undefined): Schema | undefined =>
  (described?.content as Content | undefined)?.["application/json"]?.schema;
const withJson = (described: Schema, schema: Schema): Schema => ({
  ...described,
  content: { ...(described.content as Content), "application/json": { schema } },
});
const bodyOf = ({ requestBody }: Operation): Schema | undefined => jsonOf(requestBody);
const shownOf = ({ responses }: Operation): Schema =>
  (jsonOf(responses[201])?.properties as Record<string, Schema> | undefined)?.data ?? {};
