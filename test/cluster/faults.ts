import { setTimeout as sleep } from "node:timers/promises";
import type { World } from "./world.ts";

/** A fault, and when it begins and ends, in seconds of the load. */
export interface Fault {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}
interface Planned {
  readonly name: string;
  /** When it begins, as a share of the load. */
  readonly at: number;
  /** As a share of the load, how long what was killed stays away. */
  readonly away: number;
  begin(world: World): Promise<void> | void;
  end(world: World): Promise<void>;
}

const planned: readonly Planned[] = [
  {
    ...{ name: "the database node that all prefer is killed, and back in the cluster", at: 0.1, away: 0.15 },
    begin: ({ galera }) => galera.kill(0),
    end: ({ galera }) => galera.restart(0),
  },
  {
    ...{ name: "an application process is killed, and serves again", at: 0.55, away: 0.04 },
    begin: ({ processes }) => processes.kill(1),
    end: ({ processes }) => processes.start(1),
  },
  {
    ...{ name: "Redis is restarted", at: 0.75, away: 0 },
    begin: ({ redis }) => redis.stop(),
    end: ({ redis }) => redis.start(),
  },
  {
    ...{ name: "nginx is reloaded", at: 0.88, away: 0 },
    begin: ({ nginx }) => nginx.reload(),
    end: async () => undefined,
  },
];

/** One fault after the other, while a load of so many seconds runs; what takes longer than planned delays the next. */
export async function injectFaults(world: World, seconds: number, note: (line: string) => void): Promise<Fault[]> {
  const start = performance.now();
  const now = () => Math.round((performance.now() - start) / 100) / 10;
  const until = (share: number) => sleep(Math.max(0, (share * seconds - now()) * 1000));
  const faults: Fault[] = [];
  for (const { name, at, away, begin, end } of planned) {
    await until(at);
    const from = now();
    await begin(world);
    await sleep(away * seconds * 1000);
    await end(world);
    faults.push({ name, from, to: now() });
    note(`${name}: ${from} s to ${now()} s`);
  }
  await until(1);
  return faults;
}
