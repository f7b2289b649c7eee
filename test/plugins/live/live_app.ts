import { get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
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

/** What a stream sends, as it comes, over a connection of its own. */
export class Events {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Names of events; "beat" for a comment. */
  readonly names: string[] = [];
  hasEnded = false;
  readonly #answer: IncomingMessage;
  #text = "";

  private constructor(answer: IncomingMessage) {
    this.status = answer.statusCode!;
    this.headers = answer.headers;
    this.#answer = answer;
    answer.on("data", (chunk: Buffer) => this.#read(String(chunk)));
    answer.on("error", () => undefined); // cut, by the test or the server
    answer.once("close", () => {
      this.hasEnded = true;
    });
  }
  static open({ url }: Pick<TestApp, "url">, path: string, headers: Record<string, string> = ann): Promise<Events> {
    const sent = { accept: "text/event-stream", ...headers };
    return new Promise((resolve, reject) => {
      const request = get(url + path, { agent: false, headers: sent }, (answer) => resolve(new Events(answer)));
      request.once("error", reject);
    });
  }

  #read(chunk: string): void {
    const blocks = (this.#text + chunk).split("\n\n");
    this.#text = blocks.pop()!;
    for (const block of blocks) {
      const name = /^event: (\w+)/m.exec(block)?.[1];
      if (name !== undefined || block.startsWith(":")) this.names.push(name ?? "beat");
    }
  }
  close(): void {
    this.#answer.destroy();
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
