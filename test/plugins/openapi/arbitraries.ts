import fc from "fast-check";
import type { Schema } from "framewright/plugins/openapi";

type Resolve = (schema: Schema) => Schema;
const MAX_DEPTH = 5;

/** Values that a schema allows; with odds also some that it does not. */
export function valuesOf(given: Schema, at: Resolve, odds = 0, depth = 0): fc.Arbitrary<unknown> {
  const schema = at(given);
  const own = fitting(schema, at, odds, depth);
  return odds === 0 ? own : fc.oneof({ weight: 12, arbitrary: own }, { weight: odds, arbitrary: odd });
}

/** What no field expects. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    "",
    true,
    0,
    -1,
    1e21,
    12.345,
    [],
    {},
    [null],
    "\u0000",
    "😀",
    "9".repeat(400),
    "2026-02-31",
    "NaN",
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown),
);

function fitting(schema: Schema, at: Resolve, odds: number, depth: number): fc.Arbitrary<unknown> {
  const { type, enum: values, anyOf, items, properties, const: only } = schema;
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(values)) return fc.constantFrom(...values);
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as Schema[]).map((one) => valuesOf(one, at, odds, depth)));
  if (Array.isArray(type))
    return fc.oneof(...type.map((one) => fitting({ ...schema, type: one as string }, at, odds, depth)));
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return wholeNumbers(schema);
    case "number":
      return fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
    case "string":
      return texts(schema);
    case "array":
      return depth > MAX_DEPTH
        ? fc.constant([])
        : fc.array(valuesOf((items ?? {}) as Schema, at, odds, depth + 1), { maxLength: 3 });
    case "object":
      return objects(
        (properties ?? {}) as Record<string, Schema>,
        (schema.required ?? []) as string[],
        at,
        odds,
        depth,
      );
    default:
      return odd;
  }
}

function objects(properties: Record<string, Schema>, required: string[], at: Resolve, odds: number, depth: number) {
  if (depth > MAX_DEPTH) return fc.constant({});
  const names = Object.keys(properties);
  const needed = names.filter((name) => required.includes(name));
  const free = names.filter((name) => !required.includes(name));
  const others = fc.subarray(free, { maxLength: Math.min(MAX_OTHERS, free.length) });
  const one = (name: string) => valuesOf(properties[name]!, at, odds, depth + 1);
  return others.chain((chosen) =>
    fc.record(Object.fromEntries([...needed, ...chosen].map((name) => [name, one(name)] as const))),
  );
}
/** So many of the properties that may be left out are sent at once: with all of them something is always refused. */
const MAX_OTHERS = 5;

function wholeNumbers({ minimum, exclusiveMinimum, maximum }: Schema): fc.Arbitrary<number> {
  const low = (minimum ?? (exclusiveMinimum === undefined ? 1 : (exclusiveMinimum as number) + 1)) as number;
  const high = (maximum ?? low + 4) as number;
  return fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: low, max: Math.max(low, high) }) },
    { weight: 1, arbitrary: fc.maxSafeInteger() },
  );
}

function texts({ format, pattern, minLength = 0, maxLength = 30 }: Schema): fc.Arbitrary<string> {
  const min = new Date("0001-01-01T00:00:00Z");
  const max = new Date("9999-12-31T00:00:00Z");
  const dates = fc.date({ min, max, noInvalidDate: true });
  if (format === "date") return dates.map((date) => date.toISOString().slice(0, 10));
  if (format === "date-time") return dates.map((date) => date.toISOString());
  if (format === "email") return fc.emailAddress();
  if (format === "uri") return fc.webUrl();
  if (format === "uuid") return fc.uuid();
  if (typeof pattern === "string") {
    try {
      return fc.stringMatching(new RegExp(pattern), { maxLength: 20 });
    } catch {
      return fc.string();
    }
  }
  const longest = Math.max(minLength as number, Math.min(maxLength as number, 60));
  return fc.string({ minLength: minLength as number, maxLength: longest, unit: "grapheme" });
}
