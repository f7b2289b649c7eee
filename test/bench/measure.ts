import { createRequire } from "node:module";
import type { Server } from "./servers.ts";
import type { Ask, Work } from "./works.ts";

interface Load {
  url: string;
  connections: number;
  duration: number;
  method: string;
  headers: Record<string, string>;
  body?: string;
}
interface Loaded {
  requests: { total: number };
  duration: number;
  non2xx: number;
  errors: number;
  statusCodeStats: Record<string, { count: number }>;
}
const autocannon = createRequire(import.meta.url)("autocannon") as (load: Load) => Promise<Loaded>;
const CONNECTIONS = 10;

/** What one answer looks like. */
export interface Sample {
  bytes: number;
  queries: number;
}
export interface Measured {
  perSecond: number;
  /** Microseconds of the server's processor time a request. */
  cpu: number;
  /** Bytes of objects a request; undefined where V8 does not count them. */
  allocated?: number | undefined;
}

/** Asks once, and makes sure that the answer is the one that everybody gives. */
export async function sample(server: Server<string>, work: Work, ask: Ask): Promise<Sample> {
  const before = await server.usage();
  const { path, ...init } = ask;
  const response = await fetch(server.url + path, { ...init, redirect: "manual" });
  const body = await response.text();
  const missing = work.holds.find((text) => !body.includes(text));
  if (response.status !== work.status || missing !== undefined) {
    throw new Error(
      `${work.key} of "${server.name}" answered ${response.status}${missing === undefined ? "" : ` without "${missing}"`}.`,
    );
  }
  return { bytes: Buffer.byteLength(body), queries: (await server.usage()).queries - before.queries };
}

/** Sends one request over and over. */
export function sendFor(url: string, { path, ...ask }: Ask, seconds: number, connections: number): Promise<Loaded> {
  return autocannon({ url: url + path, connections, duration: seconds, ...ask });
}

/** Sends a work over ten connections for some seconds. */
export async function measure(
  server: Server<string>,
  work: Pick<Work, "key" | "status">,
  ask: Ask,
  seconds: number,
  connections = CONNECTIONS,
): Promise<Measured> {
  const before = await server.usage();
  const done = await sendFor(server.url, ask, seconds, connections);
  const after = await server.usage();
  const good = done.statusCodeStats[work.status]?.count ?? 0;
  if (done.errors > 0 || good < done.requests.total) {
    throw new Error(
      `${work.key} of "${server.name}": ${done.requests.total - good} wrong answers, ${done.errors} errors.`,
    );
  }
  const { total } = done.requests;
  const allocated = after.allocated === undefined ? undefined : (after.allocated - before.allocated!) / total;
  return { perSecond: total / done.duration, cpu: (after.cpu - before.cpu) / total, allocated };
}
