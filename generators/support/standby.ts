import type { ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { loadTypeScript } from "./load_app.ts";
import { packageDirectory } from "./package.ts";

/** What `fw dev` starts a server for: to serve `now`, or `later`. */
const ROLE = "FW_DEV_SERVER";
const SERVE = "serve";
const SERVING = "serving";
/** How long the next one waits for a server that does not begin. */
const SERVING_MS = 10_000;
/** What changes with the packages of an application, or with the framework. */
const packageFiles = ["package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock"];
const frameworkFiles = ["package.json", join("dist", "build.json")];

interface Standing {
  readonly child: ChildProcess;
  /** The state of the packages that it has loaded. */
  readonly packages: string;
}

/**
 * Servers of an application, one after the other: while one serves, the next has loaded the framework already, which takes longer
 * than the application's own files do.
 */
export class StandbyServers {
  readonly #root: string;
  readonly #spawn: (env: NodeJS.ProcessEnv) => ChildProcess;
  #next: Standing | undefined;
  #isOver = false;

  /** `spawn` starts `fw serve` with these variables of the environment and a channel for messages. */
  constructor(root: string, spawn: (env: NodeJS.ProcessEnv) => ChildProcess) {
    this.#root = root;
    this.#spawn = spawn;
  }

  /** A server that begins now, with the application's files as they are. */
  serve(): ChildProcess {
    const ready = this.#next;
    this.#next = undefined;
    const child = ready ? this.#called(ready) : undefined;
    const serving = child ?? this.#spawn({ [ROLE]: "now" });
    this.#prepareAfter(serving);
    return serving;
  }

  /** A server that stood by, if what it has loaded is what it would load now. */
  #called({ child, packages }: Standing): ChildProcess | undefined {
    if (!child.connected || packages !== this.#packages()) {
      child.kill("SIGKILL");
      return undefined;
    }
    child.send(SERVE, () => undefined); // where it has ended since, the next change starts another one
    return child;
  }

  /** Drops the server that waits: the framework's own files have changed. */
  drop(): void {
    this.#next?.child.kill("SIGKILL");
    this.#next = undefined;
  }

  end(): void {
    this.#isOver = true;
    this.drop();
  }

  /** The next one loads once this one serves, and does not slow it down. */
  #prepareAfter(child: ChildProcess): void {
    const prepare = () => {
      clearTimeout(timer);
      child.off("message", prepare).off("exit", prepare);
      if (this.#isOver || this.#next) return;
      this.#next = { child: this.#spawn({ [ROLE]: "later" }), packages: this.#packages() };
    };
    const timer = setTimeout(prepare, SERVING_MS).unref();
    child.on("message", prepare).on("exit", prepare);
  }

  #packages(): string {
    const paths = [
      ...packageFiles.map((name) => join(this.#root, name)),
      ...frameworkFiles.map((name) => join(packageDirectory, name)),
    ];
    return paths.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? "").join();
  }
}

/** In a process that stands by: loads the framework, and resolves when it is to serve. */
export async function standBy(root: string): Promise<void> {
  if (process.env[ROLE] !== "later") return;
  const called = new Promise<void>((resolve) => process.once("message", () => resolve()));
  process.once("disconnect", exit); // nobody is left who could need it
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, exit);
  await loadTypeScript(root);
  await Promise.all([import("framewright/host"), import("framewright/plugins/inspector")]);
  await called;
  for (const event of ["disconnect", "SIGTERM", "SIGINT"]) process.off(event, exit);
}

const exit = (): never => process.exit(0);

/** Lets the next server load. `stop`: what ends this one where the process that started it has ended. */
export function announceServing(stop: () => void): void {
  if (process.env[ROLE] === undefined) return;
  process.once("disconnect", stop);
  process.send?.(SERVING);
}
