import type { PluginKernel } from "framewright/kernel";
import type { Gauge, Registry } from "prom-client";

type Client = typeof import("prom-client");
type Services = Pick<PluginKernel<"host", "metrics">["services"], "database" | "jobs" | "passwordHasher">;

/** A scrape waits so long for the table of jobs; an unavailable database must not cost the other metrics. */
const TIMEOUT_MS = 1000;

/** What is looked at when a scrape comes: connections, rows of jobs, the queue of hashes. */
export function addGauges(client: Client, registry: Registry, services: Services): void {
  const { database, jobs, passwordHasher } = services;
  if (database) addPool(client, registry, database);
  if (jobs?.counts) addJobs(client, registry, () => jobs.counts?.() ?? Promise.resolve([]));
  if (passwordHasher?.load) addHashing(client, registry, () => passwordHasher.load?.());
}

/** What is used of the pool of a knex. */
interface Pool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}
const isPool = (value: unknown): value is Pool =>
  typeof value === "object" && value !== null && "numUsed" in value && "numPendingAcquires" in value;

function addPool({ Gauge }: Client, registry: Registry, database: NonNullable<Services["database"]>): void {
  new Gauge({
    name: "fw_database_connections",
    help: "Connections of the pool that are used or free, and statements that wait for one",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const pool: unknown = database.knex.client?.pool;
      if (!isPool(pool)) return;
      this.set({ state: "used" }, pool.numUsed());
      this.set({ state: "free" }, pool.numFree());
      this.set({ state: "waiting" }, pool.numPendingAcquires());
    },
  });
}

type Counts = () => Promise<readonly { readonly kind: string; readonly state: string; readonly count: number }[]>;

function addJobs({ Gauge }: Client, registry: Registry, counts: Counts): void {
  new Gauge({
    name: "fw_jobs",
    help: "Jobs that wait, run or were given up",
    labelNames: ["kind", "state"],
    registers: [registry],
    aggregator: "max", // every worker counts the same rows
    collect() {
      return fill(this, counts);
    },
  });
}

async function fill(gauge: Gauge<"kind" | "state">, counts: Counts): Promise<void> {
  gauge.reset();
  for (const { kind, state, count } of await within(TIMEOUT_MS, counts())) gauge.set({ kind, state }, count);
}

/** What is not there in time, or fails, is left out of the scrape. */
async function within<T>(milliseconds: number, answer: Promise<readonly T[]>): Promise<readonly T[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly T[]>((resolve) => {
    timer = setTimeout(resolve, milliseconds, []);
  });
  try {
    return await Promise.race([answer.catch(() => []), late]);
  } finally {
    clearTimeout(timer);
  }
}

function addHashing(
  { Gauge }: Client,
  registry: Registry,
  load: () => { readonly running: number; readonly waiting: number } | undefined,
): void {
  new Gauge({
    name: "fw_password_hashes",
    help: "Passwords that are being hashed, or wait for a thread",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { running = 0, waiting = 0 } = load() ?? {};
      this.set({ state: "running" }, running);
      this.set({ state: "waiting" }, waiting);
    },
  });
}
