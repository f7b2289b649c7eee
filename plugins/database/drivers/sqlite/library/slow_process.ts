import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { wholeNumbers } from "../large_integers.ts";
import { withArrayBuffers } from "../prepared_statements.ts";
import type { SlowReader } from "./library.ts";
import { withSqliteCode } from "./node_errors.ts";

/** Idle time after which a process ends: it takes about 55 MB, and starts again in 30 to 100 ms. */
const IDLE_MS = 30_000;

interface Select {
  sql: string;
  bindings: readonly unknown[];
}
type Reply = { lists: unknown[][] } | { failure: { message: string; code?: string; errcode?: number } };
interface Pending {
  resolve(lists: unknown[][]): void;
  reject(error: unknown): void;
}

/** Runs selects of a file in a process of its own. It does not keep this one alive. */
export class SlowProcess implements SlowReader {
  readonly #child: ChildProcess;
  #pending: Pending | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isUsable = true;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (reply: Reply) => this.#answer(reply));
    child.once("exit", () => this.#end());
    child.on("error", () => this.#end());
    this.#rest();
  }

  static async open(file: string, pragmas: readonly string[]): Promise<SlowProcess> {
    const { NODE_OPTIONS: _, ...env } = process.env; // what it loads is for the application
    const child = fork(join(import.meta.dirname, "slow_selects.js"), [JSON.stringify([file, pragmas, process.pid])], {
      env,
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const ended = once(child, "exit").then(() => Promise.reject(failed("SQLITE_CANTOPEN", `${file} can't be opened`)));
    await Promise.race([once(child, "message"), ended]);
    ended.catch(() => undefined);
    return new SlowProcess(child);
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  all({ sql, bindings }: Select): Promise<unknown[][]> {
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      if (!this.#isUsable) return this.#end();
      this.#child.ref();
      this.#child.channel?.ref();
      this.#child.send({ sql, bindings }, (error) => error && this.#end());
    });
  }

  /** A statement of node:sqlite can't be interrupted. The process only reads, and holds no lock that would outlive it. */
  interrupt(): void {
    if (this.#pending) this.close();
  }
  close(): void {
    this.#child.kill("SIGKILL");
    this.#end();
  }

  #answer(reply: Reply): void {
    const pending = this.#pending;
    this.#pending = undefined;
    this.#rest();
    if ("failure" in reply) {
      const { message, ...codes } = reply.failure;
      pending?.reject(withSqliteCode(Object.assign(new Error(message), codes)));
    } else {
      for (const values of reply.lists) withArrayBuffers(wholeNumbers(values));
      pending?.resolve(reply.lists);
    }
  }

  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#isUsable = false;
    this.#pending?.reject(failed("SQLITE_INTERRUPT", "interrupted"));
    this.#pending = undefined;
  }
}

const failed = (code: string, message: string): Error => Object.assign(new Error(message), { code });
