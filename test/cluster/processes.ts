import type { ChildProcess } from "node:child_process";
import { startAt } from "../generators/production.ts";
import { exitOf } from "../support/processes.ts";

/** The processes that serve the application, each on a port of its own, by `fw start`. */
export class Processes {
  readonly #app: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #ports: readonly number[];
  readonly #running: (Awaited<ReturnType<typeof startAt>> | undefined)[];
  /** What ended processes printed. */
  readonly #ended: string[] = [];
  /** performance.now() of each kill. */
  readonly kills: number[] = [];
  readonly #end = () => {
    for (const started of this.#running) started?.child.kill("SIGKILL");
  };

  constructor(app: string, env: NodeJS.ProcessEnv, ports: readonly number[]) {
    this.#app = app;
    this.#env = env;
    this.#ports = ports;
    this.#running = ports.map(() => undefined);
    process.once("exit", this.#end);
  }
  async start(index: number): Promise<void> {
    this.#running[index] = await startAt(this.#app, this.#ports[index]!, this.#env);
  }
  async startAll(): Promise<void> {
    await Promise.all(this.#ports.map((_, index) => this.start(index)));
  }
  kill(index: number): Promise<void> {
    this.kills.push(performance.now());
    return this.#stop(index, "SIGKILL");
  }
  async stop(): Promise<void> {
    await Promise.all(this.#ports.map((_, index) => this.#stop(index, "SIGTERM")));
    process.off("exit", this.#end);
  }
  /** All that they logged, those that ended first. */
  output(): string {
    return [...this.#ended, ...this.#running.map((started) => started?.output() ?? "")].join("\n");
  }
  async #stop(index: number, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const started = this.#running[index];
    this.#running[index] = undefined;
    if (!started) return;
    const { child } = started as { child: ChildProcess };
    child.kill(signal);
    await exitOf(child);
    this.#ended.push(started.output());
  }
}
