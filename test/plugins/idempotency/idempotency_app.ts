import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withPlugin } from "../../support/fixtures.ts";
import { Client } from "../../testing/client.ts";
import { tenantFiles } from "../scoping/tenants.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/idempotency/schema.liquid"), "utf8");

/** Two tenants, whose programs send keys. A post called "Dies early" or "Dies late" ends the process, before its commit or after it. */
export const idempotencyFiles: Record<string, string> = {
  ...tenantFiles,
  "db/migrate/20260401000000_create_framewright_idempotency.ts": `export async function up(db) {\n${schema}}\nexport async function down() {}\n`,
  "dying.ts": `import { definePlugin } from "framewright/kernel";
import type {} from "framewright/plugins/resources";
import { setTimeout as sleep } from "node:timers/promises";
import Post from "./app/models/post.ts";
export const dying = definePlugin({
  name: "dying",
  requires: ["database", "resources"],
  apply({ hooks }) {
    hooks.database!.changing.for(Post).tapPromise("dying", async ({ record }) => {
      if ((record as Post).title === "Dies early") process.kill(process.pid, "SIGKILL");
      if ((record as Post).title === "Slow") await sleep(300);
    });
    hooks.resources!.record.tap("dying", ({ record }) => {
      if ((record as Post).title === "Dies late") process.kill(process.pid, "SIGKILL");
    });
  },
});`,
  "plugins.config.ts": withPlugin(
    withPlugin(tenantFiles["plugins.config.ts"]!, "idempotency()", "idempotency"),
    "openapi()",
    "openapi",
  )
    .replace(/^import /, 'import { dying } from "./dying.ts";\nimport ')
    .replace("definePlugins([", "definePlugins([dying, "),
};

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: { data?: { id: number; title: string }; code?: string };
}

/** A program of a person of the tenants. */
export class Program extends Client {
  readonly #id: number;

  constructor(url: string, id: number) {
    super(url);
    this.#id = id;
  }
  async send(path: string, body: object, key?: string, more: Record<string, string> = {}): Promise<Answer> {
    const headers = {
      ...{ "x-user": String(this.#id), accept: "application/json", "content-type": "application/json" },
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...more,
    };
    const answer = await this.request(path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      redirect: "manual",
    });
    const text = await answer.text();
    const parsed = text.startsWith("{") ? JSON.parse(text) : {};
    return { status: answer.status, headers: answer.headers, text, body: parsed as Answer["body"] };
  }
}
