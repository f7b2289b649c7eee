import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { databaseOf } from "../../support/shop.ts";
import { notificationFiles } from "../notifications/notifications_app.ts";
import { task, taskFiles } from "../resources/tasks_app.ts";
import { openTenants } from "../scoping/tenants.ts";

/** Tenants with tasks, comments, notifications, and pages that follow changes. */
export const liveFiles = (definition = 'this.column("status", { edit: true });', call = "live()") => ({
  ...notificationFiles,
  ...taskFiles(definition),
  "plugins.config.ts": withPlugin(notificationFiles["plugins.config.ts"]!, call, "live"),
});

export async function openLive(
  files: Record<string, string> = liveFiles(),
  values: Record<string, string> = {},
): Promise<TestApp> {
  const app = await openTenants(files, values);
  const rows = [task(1), task(2), task(3, { title: "Hidden" }), task(90, { title: "Of Baltic" }, 2)];
  await databaseOf(app.application).knex("tasks").insert(rows);
  return app;
}

export const ann = { "x-user": "1" };
export const bob = { "x-user": "2" };
export const cat = { "x-user": "3" };
/** The stream of a list or a record's page of the first tenant. */
export const streamOf = (path: string): string => `/customer/1/${path}/_live`;

/** What a stream sends, as it comes. */
export class Events {
  readonly status: number;
  readonly headers: Headers;
  /** Names of events; "beat" for a comment. */
  readonly names: string[] = [];
  hasEnded = false;
  readonly #abort: AbortController;

  private constructor(answer: Response, abort: AbortController) {
    this.status = answer.status;
    this.headers = answer.headers;
    this.#abort = abort;
    if (answer.body) void this.#read(answer.body);
  }
  static async open(
    { url }: Pick<TestApp, "url">,
    path: string,
    headers: Record<string, string> = ann,
  ): Promise<Events> {
    const abort = new AbortController();
    const sent = { accept: "text/event-stream", ...headers };
    return new Events(await fetch(url + path, { headers: sent, redirect: "manual", signal: abort.signal }), abort);
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = "";
    try {
      for await (const chunk of body) {
        text += Buffer.from(chunk).toString();
        const blocks = text.split("\n\n");
        text = blocks.pop()!;
        for (const block of blocks) {
          const name = /^event: (\w+)/m.exec(block)?.[1];
          if (name !== undefined || block.startsWith(":")) this.names.push(name ?? "beat");
        }
      }
    } catch {} // closed by the test, or cut
    this.hasEnded = true;
  }
  close(): void {
    this.#abort.abort();
  }
  /** Waits until something was sent; throws after some milliseconds. */
  async next(name: string, milliseconds = 5000): Promise<void> {
    await until(() => this.names.includes(name), `event ${name}; there were: ${this.names}`, milliseconds);
    this.names.length = 0;
  }
  async ended(milliseconds = 5000): Promise<void> {
    await until(() => this.hasEnded, "the end of a stream", milliseconds);
  }
}

export async function until(isSo: () => boolean | Promise<boolean>, what: string, milliseconds = 5000): Promise<void> {
  for (const end = performance.now() + milliseconds; performance.now() < end; await sleep(20)) if (await isSo()) return;
  throw new Error(`waited ${milliseconds} ms for ${what}`);
}
