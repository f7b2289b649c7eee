import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "bullmq";
import type { World } from "./world.ts";

/** A job of a process that was killed is taken over after its lease of 60 s. */
const TIMEOUT_MS = 180_000;

/** Waits until no job is left to run; one line for each reason that some are. */
export async function drain({ galera, redis }: World, note: (line: string) => void): Promise<string[]> {
  const connection = { host: "127.0.0.1", port: redis.port, password: redis.password, maxRetriesPerRequest: null };
  const queue = new Queue("jobs", { connection, prefix: "fw:queue" });
  try {
    let left = "";
    for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await sleep(500)) {
      const rows = await galera.query(1, "select state, count(*) count from test.framewright_jobs group by state");
      const { wait = 0, active = 0, delayed = 0, failed = 0 } = await queue.getJobCounts();
      const open = rows.filter(({ state }) => state === "waiting" || state === "running");
      const now = JSON.stringify({ rows: open, wait, active, delayed });
      if (now !== left) note(`jobs: ${now}`);
      left = now;
      if (open.length + wait + active + delayed > 0) continue;
      return failed > 0 ? [`${failed} jobs were given up`] : [];
    }
    return [`jobs are left after ${TIMEOUT_MS / 1000} s: ${left}`];
  } finally {
    await queue.close();
  }
}
