import { camelize } from "framewright/host";

/** Names of the language and of the client itself, which a type of a document would hide. */
const TAKEN = new Set(
  `AbortSignal AnswerFacts ApiError Array AsyncGenerator Blob Call CallOptions ClientTokens Date Error File FormData Headers ListPage Map Number
  Object Omit Partial Place Promise Readonly Record Response Sender Set String TemplateStringsArray URL URLSearchParams`.split(
    /\s+/,
  ),
);
const WORDS = new Set(
  `arguments await body break case catch class const continue debugger default delete do else enum eval export extends false finally for
  function if implements import in instanceof interface let new null options package path private protected public query return static
  super switch this throw true try typeof undefined var void while with yield`.split(/\s+/),
);

/** The name of a type for a schema: `Order`, and `ResponseRecord` where the language has a `Response`. */
export function typeName(schema: string): string {
  const name = identifier(camelize(schema.replaceAll(/[^\w$]+/g, "_")));
  return TAKEN.has(name) || /(?:Client|ClientOptions)$/.test(name) ? `${name}Record` : name;
}

/** The name of the class: `ShopClient` for `shop_portal`. */
export function clientName(source: string): string {
  const name = camelize(source.replaceAll(/[^A-Za-z\d]+/g, "_").replace(/(?<=.)_portal$/, ""));
  return /^[A-Za-z]/.test(name) ? `${name}Client` : `Api${name}Client`;
}

/** The name of a method for an operation: as the document has it, where that is a name; and none that is taken. */
export function methodName(operationId: unknown, taken: Set<string>): string {
  const given = String(operationId ?? "");
  const name = /^[A-Za-z_$][\w$]*$/.test(given) ? given : identifier(given.replaceAll(/[^\w$]+/g, "_"));
  return distinct(name === "constructor" ? "constructorCall" : name, taken);
}
/** A name that is not taken yet, with a number behind it where it is; it is taken from then on. */
export function distinct(name: string, taken: Set<string>): string {
  let own = name;
  for (let number = 2; taken.has(own); number++) own = `${name}${number}`;
  taken.add(own);
  return own;
}

/** Part of a template literal, as it is written in code. */
export const literal = (text: string): string => text.replaceAll(/[\\`$]/g, "\\$&");

/** The name of a parameter of a method: `orderId` for `order_id`. */
export function argumentName(name: string): string {
  const words = camelize(name.replaceAll(/[^\w$]+/g, "_"));
  const own = identifier(words.charAt(0).toLowerCase() + words.slice(1));
  return WORDS.has(own) ? `${own}Value` : own;
}

/** A name as a property has it: in quotes where it is no identifier. */
export const property = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const identifier = (name: string): string => (/^[A-Za-z_$]/.test(name) ? name : `_${name}`);
