import type { ValidateFunction } from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import type { OpenApiDocument, Operation, PathItem, Schema } from "framewright/plugins/openapi";

/** An operation with its place, and the parameters that its path shares. */
export interface Described {
  readonly verb: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Schema[];
}

/** What a reference of a document leads to. */
export const resolver =
  ({ components }: OpenApiDocument) =>
  (given: Schema): Schema => {
    const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(String(given.$ref ?? "")) ?? [];
    return kind === undefined ? given : components[kind as "schemas"][name!]!;
  };

export function operationsOf(document: OpenApiDocument): Described[] {
  const at = resolver(document);
  return Object.entries(document.paths).flatMap(([path, item]: [string, PathItem]) =>
    Object.entries(item).flatMap(([verb, one]) => {
      if (verb === "parameters") return [];
      const operation = one as Operation;
      return [
        { verb, path, operation, parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(at) },
      ];
    }),
  );
}

/** A schema in which objects have the properties that it names and no others, unless it says that there are more. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const { examples: _, ...rest } = schema as Schema;
  const own = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === "properties"
        ? Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, strict(one)]))
        : strict(value),
    ]),
  );
  return "properties" in own && !("additionalProperties" in own) ? { ...own, additionalProperties: false } : own;
}

const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  uri: /^[a-z]+:/,
  email: /@/,
  uuid: /^[0-9a-f-]{36}$/i,
  binary: /^/,
};

/** Says what of an answer its document does not describe. */
export class Checker {
  readonly #ajv: Ajv2020.default;
  readonly #document: OpenApiDocument;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#ajv = new Ajv2020.default({ strict: false, allErrors: false, formats });
    this.#ajv.addSchema({ $id: "document", components: strict(document.components) as object });
  }

  /** Undefined where all of an answer is described. */
  async problemOf({ operation }: Described, answer: Response): Promise<string | undefined> {
    const status = String(answer.status);
    const given = operation.responses[status] ?? operation.responses[`${status[0]}XX`];
    const body = await answer.text();
    if (answer.status >= 500) return `${status}: ${body.slice(0, 500)}`;
    if (!given) return `the status ${status} is not described: ${body.slice(0, 500)}`;
    const { content } = resolver(this.#document)(given) as { content?: Record<string, { schema: Schema }> };
    if (!content) return body === "" ? undefined : `${status} is described without a body, and has one`;
    const type = (answer.headers.get("content-type") ?? "").split(";")[0]!;
    const described = content[type] ?? content["*/*"];
    if (!described) return `${status} has the type ${type}, and ${Object.keys(content).join(", ")} is described`;
    if (!type.endsWith("json")) return undefined;
    const problem = this.#validate(described.schema, JSON.parse(body));
    return problem && `${status}: ${problem} in ${body.slice(0, 1500)}`;
  }

  #validate(schema: Schema, value: unknown): string | undefined {
    const key = JSON.stringify(schema);
    const own = this.#compiled.get(key) ?? this.#ajv.compile(this.#absolute(schema) as object);
    this.#compiled.set(key, own);
    return own(value) ? undefined : this.#ajv.errorsText(own.errors);
  }
  /** References to the document, which has an id of its own. */
  #absolute(schema: Schema): unknown {
    return JSON.parse(JSON.stringify(strict(schema)).replaceAll('"#/components/', '"document#/components/'));
  }
}
