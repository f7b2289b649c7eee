import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openBrowser, type Visit, type Visitor, visit } from "../support/browser.ts";
import { Client } from "../testing/client.ts";

const clone = join(import.meta.dirname, "../..");

/** The demo, as `npm run demo` makes and serves it, in a folder of its own. */
export interface Demo {
  readonly url: string;
  readonly output: string;
  /** Ends it as Ctrl-C or a supervisor would, and says how it went. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}
export interface World {
  readonly root: string;
  readonly browser: Browser;
  demo: Demo;
  /** A visitor who is signed in as the administrator, and as a person of both organizations; or a stranger. */
  visit(how?: Visit & { stranger?: boolean }): Promise<Visitor>;
  close(): Promise<void>;
}

export async function openWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "fw-system-"));
  const root = join(folder, "demo");
  const [demo, browser] = await Promise.all([startDemo(root), openBrowser()]);
  const session = await signInTo(demo.url);
  const world: World = {
    root,
    browser,
    demo,
    async visit({ stranger = false, ...how } = {}) {
      const visitor = await visit(browser, world.demo.url, how);
      const cookie = { name: "fw_session", value: session, url: world.demo.url };
      if (!stranger) await visitor.context.addCookies([cookie]);
      return visitor;
    },
    async close() {
      await browser.close();
      await world.demo.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return world;
}

/** One browser, two account types: what is in its cookie. */
async function signInTo(url: string): Promise<string> {
  const client = new Client(url);
  const password = "demo-password-2026";
  await client.submit("/users/login", { login: "editor@demo.test", password });
  await client.submit("/admins/login", { login: "admin@demo.test", password });
  const answer = await client.request("/admin");
  if (answer.status !== 200) throw new Error(`the demo's people can't sign in: ${answer.status}`);
  return client.cookie("fw_session")!;
}

/** Starts `npm run demo` on a port that is free, with these settings, and waits until it serves. */
export function startDemo(root: string, settings: Record<string, string> = {}): Promise<Demo> {
  const env = { ...process.env, PORT: "0", NODE_OPTIONS: "", ...settings };
  const child = spawn(process.execPath, ["test/support/demo.js", `--into=${root}`, "--once"], { cwd: clone, env });
  process.once("exit", () => child.kill("SIGTERM"));
  let output = "";
  return new Promise((resolve, reject) => {
    const read = (text: string) => {
      output += text;
      const url = /http:\/\/127\.0\.0\.1:\d+(?=\S* \(development\))/.exec(output)?.[0];
      if (url) resolve({ url, output, stop: (signal = "SIGTERM") => stop(child, signal) });
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    child.once("close", (code) => reject(new Error(`the demo ended (${code}):\n${output}`)));
  });
}

function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once("close", resolve);
    child.kill(signal);
  });
}
