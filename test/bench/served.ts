import { getHeapStatistics } from "node:v8";

/** A server of the bench, as the process that it runs in tells of itself. */
export interface Served {
  port: number;
  /** How many statements were sent to the database so far. */
  queries(): number;
  /** Takes back what the writing work wrote. */
  reset(): Promise<void> | void;
  /** What else the bench may ask for by name. */
  tasks?: Record<string, () => Promise<unknown>>;
}
export interface Usage {
  /** Microseconds of processor time since the start. */
  cpu: number;
  queries: number;
  /** The most memory that was held, in bytes. */
  memory: number;
  /** Bytes of objects since the start; undefined where V8 does not count them. */
  allocated: number | undefined;
}

/** Says where it listens, then answers what the bench asks over the channel; ends with it. */
export function answerBench({ port, queries, reset, tasks = {} }: Served): void {
  process.on("message", async (asked: string) => {
    if (asked === "reset") await reset();
    await tasks[asked]?.();
    const { user, system } = process.cpuUsage();
    process.send!({
      cpu: user + system,
      queries: queries(),
      memory: process.resourceUsage().maxRSS * 1024,
      allocated: (getHeapStatistics() as { total_allocated_bytes?: number }).total_allocated_bytes,
    } satisfies Usage);
  });
  process.once("disconnect", () => process.exit());
  process.send!({ port });
}
