import fc from "fast-check";
import type { OpenApiDocument, Schema } from "framewright/plugins/openapi";
import { valuesOf } from "./arbitraries.ts";
import { Checker, type Described, operationsOf, resolver } from "./checker.ts";

type Send = (path: string, init: RequestInit) => Promise<Response>;

interface FuzzOptions {
  /** What stands in paths in any case, as the tenant. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly rounds?: number;
  readonly forMs?: number;
}
/** A request of an operation: the parts that are filled in. */
interface Sent {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: readonly (readonly [name: string, value: unknown])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** How many requests of each operation a round has. */
const REQUESTS = 2;
const ids = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom("0", "x", "-1", "99999999999999999999", "1e3", "%00") },
);

/** Requests of an operation by its schemas. `fixed`: what stands in a path in any case, as the tenant. */
function requestsOf(
  { parameters, operation }: Described,
  document: OpenApiDocument,
  fixed: Readonly<Record<string, string>>,
): fc.Arbitrary<Sent> {
  const at = resolver(document);
  const named = (place: string) =>
    parameters.filter((one) => one.in === place).map((one) => [String(one.name), one.schema as Schema] as const);
  const path = named("path").map(([name, schema]) => {
    const own = fixed[name] !== undefined ? fc.constant(fixed[name]) : "enum" in schema ? valuesOf(schema, at) : ids;
    return [name, own] as const;
  });
  const query = named("query");
  const chosen =
    query.length === 0
      ? fc.constant([])
      : fc.uniqueArray(fc.constantFrom(...query), { maxLength: 4, selector: ([name]) => name });
  const filled = chosen.chain((some) =>
    fc.tuple(...some.map(([name, schema]) => valuesOf(schema, at, 1).map((value) => [name, value] as const))),
  );
  const headers = fc.record(
    { prefer: fc.constantFrom("handling=strict", "handling=lenient"), "if-match": fc.constantFrom('"1"', '"x"', "*") },
    { requiredKeys: [] },
  );
  const odds = fc.constantFrom(0, 0, 1);
  const json = (operation.requestBody?.content as Record<string, { schema: Schema }> | undefined)?.["application/json"];
  const body = json ? odds.chain((some) => valuesOf(json.schema, at, some)) : fc.constant(undefined);
  return fc.record({ path: fc.record(Object.fromEntries(path)), query: filled, headers, body }) as fc.Arbitrary<Sent>;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
function addressOf(path: string, sent: Sent, parameters: readonly Schema[]): string {
  const own = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(sent.path[name] ?? "")));
  const search = sent.query.flatMap(([name, value]): string[] => {
    const isExploded = parameters.find((one) => one.name === name)?.explode !== false;
    const values =
      Array.isArray(value) && isExploded ? value : [Array.isArray(value) ? value.map(textOf).join() : value];
    return values.map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(one).toWellFormed())}`);
  });
  return search.length > 0 ? `${own}?${search.join("&")}` : own;
}

/**
 * Sends requests by the schemas of a document, so many rounds or milliseconds. Returns the first answer of each operation that
 * the document does not describe; statuses by operation show what was reached.
 */
export async function fuzz(
  document: OpenApiDocument,
  send: Send,
  { fixed, seed, rounds = 10_000, forMs = Number.POSITIVE_INFINITY }: FuzzOptions,
): Promise<{ problems: string[]; statuses: Map<string, number>; sent: number }> {
  const until = performance.now() + forMs;
  const checker = new Checker(document);
  const statuses = new Map<string, number>();
  const problems = new Map<string, string>();
  let sent = 0;
  const operations = operationsOf(document).map((one) => ({ one, requests: requestsOf(one, document, fixed) }));
  for (let round = 0; round < rounds && performance.now() < until; round++)
    for (const { one, requests } of operations) {
      const name = `${one.verb.toUpperCase()} ${one.path}`;
      if (performance.now() >= until || problems.has(name) || (one.verb === "delete" && round % 4 !== 3)) continue;
      for (const request of fc.sample(requests, { numRuns: REQUESTS, seed: seed + round })) {
        const address = addressOf(one.path, request, one.parameters);
        const hasBody = request.body !== undefined && one.verb !== "get";
        const headers = { ...request.headers, ...(hasBody ? { "content-type": "application/json" } : {}) };
        const body = hasBody ? { body: JSON.stringify(request.body) } : {};
        const answer = await send(address, { method: one.verb.toUpperCase(), headers, ...body });
        sent += 1;
        statuses.set(`${name} ${answer.status}`, (statuses.get(`${name} ${answer.status}`) ?? 0) + 1);
        const problem = await checker.problemOf(one, answer);
        if (problem !== undefined)
          problems.set(
            name,
            `${name} (seed ${seed + round}) ${address} ${JSON.stringify(request.body)?.slice(0, 600)}: ${problem}`,
          );
      }
    }
  return { problems: [...problems.values()], statuses, sent };
}
