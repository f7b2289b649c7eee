import { renderTemplate } from "../../../../generators/toolkit/index.ts";
import type { OpenApiDocument } from "../../contract.ts";
import { callsOf } from "./calls.ts";
import { Methods, withParts } from "./methods.ts";
import { clientName, property, typeName } from "./names.ts";
import { split } from "./split.ts";
import { comment, commented, nameOf, typeOf, union } from "./types.ts";

/** The names in a client's file. */
export interface ClientFile {
  /** What it is named after: `shop_portal` has a `ShopClient`. */
  readonly name: string;
  /** The command that writes it again. */
  readonly command: string;
}

/** The text of a client for what a document describes: one file without dependencies. */
export function clientText(document: OpenApiDocument, { name, command }: ClientFile): string {
  const { base, calls, signIn, refresh } = callsOf(document);
  const schemas = typesOf(document);
  const methods = new Methods(document, base, schemas.keys());
  const written = calls
    .flatMap((call) => split(call, calls))
    .map((call) => methods.of(call))
    .join("\n\n");
  const parameters = [...new Set([...base.matchAll(/\{([^}]+)\}/g)].map(([, one]) => one!))];
  const at = withParts(base, (one) => (property(one) === one ? `options.${one}` : `options[${property(one)}]`));
  return renderTemplate(import.meta.dirname, "client", {
    command: commented(command),
    title: commented(document.info.title),
    version: commented(document.info.version),
    name: clientName(name),
    base: parameters.length === 0 ? JSON.stringify(base) : `path\`${at}\``,
    base_parameters: parameters.map(property),
    sign_in: signIn !== undefined && JSON.stringify(signIn),
    refresh: refresh !== undefined && JSON.stringify(refresh),
    types: [...schemas.values(), ...methods.types].join("\n\n"),
    methods: written,
  });
}

/** The types of all schemas, by their names; those of the same name allow either, and what a reference does not find is unknown. */
function typesOf(document: OpenApiDocument): Map<string, string> {
  const found = new Map<string, { text: string; types: string[] }>();
  for (const [schemaName, schema] of Object.entries(document.components.schemas)) {
    const name = typeName(schemaName);
    const known = found.get(name) ?? { text: comment(String(schema.description ?? "")), types: [] };
    found.set(name, { ...known, types: [...known.types, typeOf(schema)] });
  }
  for (const [, ref] of JSON.stringify(document).matchAll(/"\$ref":"((?:[^"\\]|\\.)*)"/g)) {
    const name = typeName(nameOf(JSON.parse(`"${ref}"`) as string));
    if (!found.has(name) && ref!.includes("/schemas/")) found.set(name, { text: "", types: ["unknown"] });
  }
  return new Map([...found].map(([name, { text, types }]) => [name, `${text}export type ${name} = ${union(types)};`]));
}
