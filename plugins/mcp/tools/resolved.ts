import type { OpenApiDocument, Schema } from "framewright/plugins/openapi";

/** A schema or parameter that the document has once, by its reference. */
export function resolved(document: OpenApiDocument, one: Schema): Schema {
  const reference = typeof one.$ref === "string" ? /^#\/components\/(\w+)\/(.+)$/.exec(one.$ref) : null;
  if (!reference) return one;
  const [, kind, name] = reference as unknown as [string, keyof OpenApiDocument["components"], string];
  return document.components[kind]?.[name] ?? {};
}
