import type { OpenApiDocument } from "../contract.ts";

type Parts = ReadonlyMap<string, unknown>;
/** How many lines describe what changed within one operation or schema. */
const MAX_LINES = 20;

/** What differs between two documents, a line each: operations and components that are new, removed or changed, and what of them. */
export function changesOf(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const [old, now] = [partsOf(before), partsOf(after)];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap((name) => {
    if (!old.has(name)) return [`+ ${name}`];
    if (!now.has(name)) return [`- ${name}`];
    const lines = differences(old.get(name), now.get(name));
    const rest = lines.length - MAX_LINES;
    return lines.length === 0
      ? []
      : [
          `~ ${name}`,
          ...lines.slice(0, MAX_LINES).map((line) => `    ${line}`),
          ...(rest > 0 ? [`    … and ${rest} more`] : []),
        ];
  });
}

/** Operations as `GET /admin/posts.json`, components as `schemas Post`, and the rest by its name. */
function partsOf(document: OpenApiDocument): Parts {
  const parts = new Map<string, unknown>();
  const { paths, components, ...rest } = document;
  for (const [path, item] of Object.entries(paths ?? {}))
    for (const [verb, one] of Object.entries(item))
      parts.set(verb === "parameters" ? `parameters of ${path}` : `${verb.toUpperCase()} ${path}`, one);
  for (const [kind, own] of Object.entries(components ?? {}))
    for (const [name, one] of Object.entries(own)) parts.set(`${kind} ${name}`, one);
  for (const [name, one] of Object.entries(rest)) parts.set(name, one);
  return parts;
}

/** The leaves that differ, by their paths: `properties.title.maxLength: 100 → 255`. */
function differences(before: unknown, after: unknown, path = ""): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [entriesOf(before), entriesOf(after)];
  if (!old || !now) return [`${path}: ${shown(before)} → ${shown(after)}`];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const found = names.flatMap((name) => {
    const at = path === "" ? name : `${path}.${name}`;
    if (!old.has(name)) return [`+ ${at}: ${shown(now.get(name))}`];
    if (!now.has(name)) return [`- ${at}: ${shown(old.get(name))}`];
    return differences(old.get(name), now.get(name), at);
  });
  return found.length > 0 ? found : [`${path}: another order`];
}

/** The entries of an object, and those of a list by their names or texts. */
function entriesOf(value: unknown): Map<string, unknown> | undefined {
  if (Array.isArray(value)) return new Map(value.map((one, index) => [labelOf(one) ?? String(index), one]));
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined;
}
function labelOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const { name, $ref } = (value ?? {}) as { name?: unknown; $ref?: unknown };
  return typeof name === "string" ? name : typeof $ref === "string" ? $ref.replace("#/components/", "") : undefined;
}

const MAX_CHARS = 120;
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}
