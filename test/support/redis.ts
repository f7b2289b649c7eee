import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { exitOf, freePort } from "./processes.ts";
import { redisPath } from "./requirements.ts";

/** A Redis of a test's own, on a free port of loopback with a folder of its own, that it may stop, kill, freeze and start again. */
export class OwnRedis {
  readonly directory = mkdtempSync(join(tmpdir(), "fw-redis-"));
  readonly port: number;
  readonly password: string;
  #child: ChildProcess | undefined;

  private constructor(port: number, password: string) {
    this.port = port;
    this.password = password;
    process.once("exit", () => rmSync(this.directory, { recursive: true, force: true }));
  }
  static async start(password = ""): Promise<OwnRedis> {
    const server = new OwnRedis(await freePort(), password);
    await server.start();
    return server;
  }
  get url(): string {
    const login = this.password === "" ? "" : `:${encodeURIComponent(this.password)}@`;
    return `redis://${login}127.0.0.1:${this.port}/0`;
  }
  /** What was written before a stop or a kill is there again. */
  async start(): Promise<void> {
    const { directory, port, password } = this;
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, "--save", ""];
    const more = ["--appendonly", "yes", "--appendfsync", "always", "--daemonize", "no"];
    const access = password === "" ? [] : ["--requirepass", password];
    this.#child = spawn(redisPath, [...args, ...more, ...access], { stdio: "ignore" });
    for (let attempt = 0; attempt < 100; attempt++) {
      if (await answers(port)) return;
      await sleep(50);
    }
    throw new Error("Redis did not start within 5 s");
  }
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child) return;
    child.kill("SIGCONT");
    child.kill(signal);
    await exitOf(child);
  }
  /** Answers nothing any more, with its connections open. */
  freeze(): void {
    this.#child?.kill("SIGSTOP");
  }
  thaw(): void {
    this.#child?.kill("SIGCONT");
  }
  async remove(): Promise<void> {
    await this.stop("SIGKILL");
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port, timeout: 500 });
    const finish = (there: boolean) => {
      socket.destroy();
      resolve(there);
    };
    socket
      .once("connect", () => socket.write("PING\r\n"))
      .once("data", (data) => finish(!/LOADING/.test(String(data))));
    socket.once("error", () => finish(false)).once("timeout", () => finish(false));
  });
}

/** A server for tests that leave it alone: that of FW_TEST_REDIS_URL, else one of their own. */
export async function testRedis(): Promise<{ url: string; remove(): Promise<void> }> {
  const url = process.env.FW_TEST_REDIS_URL;
  return url === undefined ? OwnRedis.start() : { url, remove: async () => undefined };
}
