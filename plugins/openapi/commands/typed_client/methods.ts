import type { OpenApiDocument, Schema } from "../../contract.ts";
import { type DescribedCall, resolved } from "./calls.ts";
import { argumentName, distinct, literal, methodName, property } from "./names.ts";
import { queryType } from "./query.ts";
import { block, comment, indented, typeOf, union } from "./types.ts";

const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data";
const STATUSES = ["200", "201", "202", "203", "207"];

type Content = Record<string, { readonly schema?: Schema }>;
/** What a method takes: its name, its type, and its place in the request. */
interface Argument {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
}

/** Writes the methods of a client: one for each operation, and one that goes through all records for each list. */
export class Methods {
  readonly #document: OpenApiDocument;
  readonly #base: string;
  /** The types of queries. */
  readonly types: string[] = [];
  readonly #names = new Set<string>();
  readonly #typeNames: Set<string>;

  /** `typeNames`: the names of types that are taken. */
  constructor(document: OpenApiDocument, base: string, typeNames: Iterable<string>) {
    this.#document = document;
    this.#base = base;
    this.#typeNames = new Set(typeNames);
  }

  of(call: DescribedCall): string {
    const { operation, verb, parameters } = call;
    const { summary, description = "", requestBody } = operation;
    const name = methodName(operation.operationId, this.#names);
    const path = this.#path(call);
    const query = this.#query(call, name);
    const names = path.given.map((one) => one.name);
    const body = requestBody ? this.#body(resolved(this.#document, requestBody), names) : undefined;
    const taken = [...path.given, ...(body ? [body.given] : []), ...(query ? [query] : [])];
    const isKeyed = parameters.some(({ name }) => name === "Idempotency-Key");
    const answer = this.#answer(call);
    const sent = [
      `verb: "${verb.toUpperCase()}"`,
      `path: ${path.text}`,
      ...(query ? ["query"] : []),
      ...(body ? [`body: ${body.sent}`] : []),
      "options",
      ...(isKeyed ? ["isKeyed: true"] : []),
      ...(answer.isFile ? ["isFile: true"] : []),
      ...(operation.security?.length === 0 ? ["isOpen: true"] : []),
    ].join(", ");
    const text = comment([summary ? `${summary}.` : "", description].join(" ").trim());
    const methods = [
      `${text}${name}(${listed(taken)}): Promise<${answer.type}> {\n  return this.#sender.send({ ${sent} });\n}`,
    ];
    if (answer.row !== undefined)
      methods.push(
        `${comment(`All records of \`${name}\`, from the first page on.`)}${distinct(iteratorName(name), this.#names)}(${listed(taken)}): AsyncGenerator<${answer.row}, void, undefined> {\n  return this.#sender.pages({ ${sent} });\n}`,
      );
    return methods.map(indented).join("\n\n");
  }

  #path({ path, parameters }: DescribedCall): { text: string; given: Argument[] } {
    const rest = path.slice(this.#base.length);
    const [names, taken] = [new Map<string, string>(), new Set<string>()];
    for (const [, name] of rest.matchAll(PART))
      if (!names.has(name!)) names.set(name!, distinct(argumentName(name!), taken));
    const given = [...names].map(([name, own]) => {
      const { schema = {} } = parameters.find((one) => one.in === "path" && one.name === name) ?? {};
      return { name: own, type: pathType(schema as Schema), isOptional: false };
    });
    if (given.length === 0) return { text: `this.#at + ${JSON.stringify(rest)}`, given };
    const text = withParts(rest, (name) => names.get(name)!);
    return { text: `this.#at + path\`${text}\``, given };
  }

  #query({ parameters }: DescribedCall, method: string): Argument | undefined {
    const own = parameters.filter((one) => one.in === "query");
    if (own.length === 0) return undefined;
    const type = distinct(`${method.charAt(0).toUpperCase()}${method.slice(1)}Query`, this.#typeNames);
    this.types.push(`export type ${type} = ${queryType(own)};`);
    return { name: "query", type, isOptional: !own.some((one) => one.required) };
  }

  /** A body of one object or list of objects is taken without its name: `createOrder({ … })` for `{ "order": { … } }`. */
  #body({ content, required }: Schema, taken: readonly string[]): { given: Argument; sent: string } | undefined {
    const { [JSON_TYPE]: json, [FORM_TYPE]: form } = (content ?? {}) as Content;
    const schema = json ? resolved(this.#document, json.schema ?? {}) : form?.schema;
    if (!schema) return undefined;
    const isOptional = required !== true;
    const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    if (!json || members.length !== 1 || !this.#isRecords(members[0]![1]))
      return { given: { name: "body", type: typeOf(json?.schema ?? schema), isOptional }, sent: "body" };
    const [name, inner] = members[0]!;
    const own = distinct(argumentName(name), new Set(taken));
    const type = this.#withFiles(name, inner, form?.schema);
    const sent = own === name ? `{ ${own} }` : `{ ${property(name)}: ${own} }`;
    return { given: { name: own, type, isOptional }, sent };
  }

  /** An object, or a list of them. */
  #isRecords(schema: Schema): boolean {
    const { type, items } = resolved(this.#document, schema);
    return (
      type === "object" || (type === "array" && resolved(this.#document, (items ?? {}) as Schema).type === "object")
    );
  }

  /** The type of a body whose files may be sent with it. */
  #withFiles(name: string, inner: Schema, form: Schema | undefined): string {
    const type = typeOf(inner);
    const fields = Object.entries((form?.properties ?? {}) as Record<string, Schema>);
    const files = fields.filter(([, schema]) => /\bBlob\b/.test(typeOf(schema)));
    if (files.length === 0) return type;
    const own = files.map(([field, schema]) => [field.slice(name.length + 1).split("]")[0]!, schema] as const);
    const { properties = {} } = resolved(this.#document, inner) as { properties?: Record<string, Schema> };
    const members = own.map(
      ([field, schema]) =>
        `readonly ${property(field)}?: ${union([typeOf(schema), ...(properties[field] ? [typeOf(properties[field])] : [])])};`,
    );
    return `Omit<${type}, ${own.map(([field]) => JSON.stringify(field)).join(" | ")}> & ${block(members)}`;
  }

  #answer({ operation }: DescribedCall): { type: string; isFile: boolean; row?: string } {
    const answers = Object.entries(operation.responses ?? {}).filter(([status]) => STATUSES.includes(status));
    const contents = answers.map(([, answer]) => (resolved(this.#document, answer).content ?? {}) as Content);
    if (contents.some((content) => Object.keys(content).some((type) => !/json/.test(type))))
      return { type: "Response", isFile: true };
    const schemas = contents.flatMap((content) => Object.values(content).map(({ schema = {} }) => schema));
    if (schemas.length === 0) return { type: "void", isFile: false };
    const known = schemas.filter((schema) => typeOf(schema) !== "unknown");
    const type = `${wrapped(union((known.length > 0 ? known : schemas).map(typeOf)))} & AnswerFacts`;
    const { properties = {} } = resolved(this.#document, schemas[0]!) as { properties?: Record<string, Schema> };
    const { data, meta } = properties;
    const isList = String(operation.operationId).startsWith("list") && data?.type === "array" && meta !== undefined;
    return { type, isFile: false, ...(isList ? { row: typeOf((data.items ?? {}) as Schema) } : {}) };
  }
}

/** A parameter in the pattern of a path. */
const PART = /\{([^}]+)\}/g;
/** A path as a template literal, without its quotes: `code` is what represents a parameter. */
export const withParts = (path: string, code: (name: string) => string): string =>
  path
    .split(PART)
    .map((part, at) => (at % 2 ? `\${${code(part)}}` : literal(part)))
    .join("");

const iteratorName = (operationId: string): string => operationId.replace(/^list/, "iterate");
const wrapped = (type: string): string => (type.includes(" | ") ? `(${type})` : type);
/** Numbers and texts of an address are taken alike. */
const pathType = (schema: Schema): string => typeOf(schema).replace(/^(?:number|string)$/, "number | string");

/** Arguments in their order; one that may be left out has only such after it. */
function listed(given: readonly Argument[]): string {
  const last = given.findLastIndex(({ isOptional }) => !isOptional);
  const own = given.map(({ name, type, isOptional }, at) =>
    isOptional && at < last ? `${name}: ${type} | undefined` : `${name}${isOptional ? "?" : ""}: ${type}`,
  );
  return [...own, "options?: CallOptions"].join(", ");
}
