import type { OpenApiDocument, PathItem } from "./contract.ts";

const verbs = ["parameters", "get", "put", "post", "patch", "delete"];

const byKey = <T>(values: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));
const byVerb = (item: PathItem): PathItem =>
  Object.fromEntries(Object.entries(item).sort(([one], [other]) => verbs.indexOf(one) - verbs.indexOf(other)));

/** A document whose paths, components and tags are in order: properties and parameters stay as they are declared. */
export function sorted(document: OpenApiDocument): OpenApiDocument {
  const { openapi, info, servers, security, tags, paths, components } = document;
  const kinds = Object.entries(byKey(components)).map(([kind, own]) => [kind, byKey(own)] as const);
  return {
    ...{ openapi, info, servers, security },
    tags: [...tags].sort((one, other) => (String(one.name) < String(other.name) ? -1 : 1)),
    paths: byKey(Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, byVerb(item)]))),
    components: withoutUnused(Object.fromEntries(kinds) as OpenApiDocument["components"], paths),
  };
}

/** Without components that nothing refers to, and kinds without any. */
function withoutUnused(components: OpenApiDocument["components"], paths: OpenApiDocument["paths"]) {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      const key = `${kind}/${name}`;
      if (used.has(key)) continue;
      used.add(key);
      visit(components[kind as keyof typeof components]?.[name!] ?? {});
    }
  };
  visit(paths);
  const left = Object.entries(components).map(([kind, own]) => {
    const isKept = (name: string) => kind === "securitySchemes" || used.has(`${kind}/${name}`);
    return [kind, Object.fromEntries(Object.entries(own).filter(([name]) => isKept(name)))] as const;
  });
  return Object.fromEntries(left.filter(([, own]) => Object.keys(own).length > 0)) as OpenApiDocument["components"];
}

/** The text of a document: the same one for the same document. */
export const documentText = (document: OpenApiDocument): string => `${JSON.stringify(document, null, 2)}\n`;
