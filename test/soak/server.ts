import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync } from "node:fs";
import { join } from "node:path";

/** An application in a process of its own, as it was built. */
export class SoakServer {
  readonly url: string;
  /** Milliseconds from the start of the process until it listened. */
  readonly boot: number;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, port: number, boot: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
    this.boot = boot;
  }

  static async start(root: string, env: Record<string, string>): Promise<SoakServer> {
    const script = join(root, "serve.js"); // beside the application, so that it finds the same framework
    copyFileSync(join(import.meta.dirname, "serve.js"), script);
    const begin = performance.now();
    const child = fork(script, {
      cwd: root,
      execArgv: ["--expose-gc"],
      env: { ...process.env, NODE_ENV: "production", ...env },
    });
    const answer = await Promise.race([once(child, "message"), once(child, "exit").then(() => undefined)]);
    if (!answer) throw new Error("the application of the soak run did not start.");
    return new SoakServer(child, (answer[0] as { port: number }).port, performance.now() - begin);
  }

  /** Bytes that are held after a collection, and the most that the process ever took. */
  async memory(): Promise<{ held: number; peak: number }> {
    const answer = once(this.#child, "message");
    this.#child.send("memory");
    return (await answer)[0] as { held: number; peak: number };
  }
  async stop(): Promise<void> {
    const gone = once(this.#child, "exit");
    this.#child.disconnect();
    await gone;
  }
}
