import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { jobTables } from "framewright/testing";
import type { TestApp } from "../../support/apps.ts";
import { edited, editedText } from "../../support/fixtures.ts";
import { databaseOf } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { accountFiles, type Known, tenantFiles } from "../scoping/tenants.ts";

const schemaOf = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../../plugins/${name}/schema.liquid`), "utf8");
const table = (name: string, at: string, more = "") => ({
  [`db/migrate/${at}_create_framewright_${name}.ts`]: `export async function up(db) {\n${schemaOf(name)}${more}}\nexport async function down() {}\n`,
});
const policy = "app/policies/post_policy.ts";
const columns = `await db.addColumns("posts", (t) => { t.string("phase").notNull().default("drafted"); t.string("hidden"); });
  await db.addColumns("users", (t) => { t.boolean("manages").notNull().default(true); });`;

/** The addresses of names that tests invent; others are not found. */
export const names = new Map<string, () => string | readonly string[]>();
const invented = Symbol.for("framewright.test.names");
Object.assign(globalThis, { [invented]: names });

/** Options of the plugin, as code: names are those of `names`, and 127.0.0.1 is sent to by HTTP. */
export const optionsOf = (more = "") => `{
  may: ({ currentUser }) => Boolean(currentUser?.manages),
  allowAddresses: ["127.0.0.1"], allowHttp: true, timeoutSeconds: 1,
  resolve: async (name) => [globalThis[Symbol.for("framewright.test.names")]?.get(name)?.() ?? []].flat().map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
  ${more} }`;

/**
 * Two tenants whose people sign in: Ann (1) and Cat (3) manage the first, Bob (2) and Cat the second. "Sealed" posts are shown to
 * Ann alone, and the column "hidden" to nobody.
 */
export const webhookFiles = (options = optionsOf()): Record<string, string> => ({
  ...accountFiles,
  ...jobTables(),
  ...table("webhooks", "20260401000000", columns),
  ...table("notifications", "20260401000002"),
  "plugins.config.ts": editedText(
    accountFiles["plugins.config.ts"]!,
    [
      /^import /,
      'import { notifications } from "framewright/plugins/notifications"; import { openapi } from "framewright/plugins/openapi"; import { webhooks } from "framewright/plugins/webhooks";\nimport ',
    ],
    ["...standard, widening", `...standard, widening, notifications(), openapi(), webhooks(${options})`],
  ),
  "app/models/post.ts": editedText(
    edited(tenantFiles, "app/models/post.ts", [
      "  static override associations",
      '  static states = states("phase", { drafted: { send: "sent" }, sent: { recall: "drafted" } });\n  static override associations',
    ]),
    [/^import /, 'import { states } from "framewright/plugins/states";\nimport '],
  ),
  [policy]: editedText(
    tenantFiles[policy]!,
    [
      "  canPublish() {",
      `  override canShow() { return this.record?.title !== "Sealed" || this.#id === 1; }
  canSendDeleted() { return this.#id !== 2; }
  canSend() { return true; }
  canRecall() { return true; }
  get #id() { return (this.user as { id?: number } | undefined)?.id; }
  canPublish() {`,
    ],
    [
      'return ["title", "status", "organization", "organization_id", "author", "comments"];',
      'return ["title", "status", "phase", "organization", "author"];',
    ],
    ['"organization_id", "author", "category"]', '"organization_id", "author", "category", "hidden"]'],
  ),
});
export const post = (tenant: number, id = tenant) => `/customer/${tenant}/posts/${id}`;
export const hooksOf = (tenant = 1) => `/customer/${tenant}/_webhooks`;

/** What a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: {
    type: string;
    timestamp: string;
    data: Record<string, unknown> & { record?: Record<string, unknown> };
  };
}
type Answering = (request: IncomingMessage, response: ServerResponse, received: Received) => void;

/** A receiver on loopback; by default it answers 204. */
export class Receiver {
  readonly received: Received[] = [];
  readonly #answers = new Map<string, Answering>();
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const { url: path = "", headers } = request;
      const received = { path, headers, body, json: JSON.parse(body) } as Received;
      this.received.push(received);
      const answer = this.#answers.get(path);
      if (answer) answer(request, response, received);
      else response.writeHead(204).end();
    });
  });

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((done) => receiver.#server.listen(0, "127.0.0.1", done));
    return receiver;
  }
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  url = (path: string, host = "127.0.0.1"): string => `http://${host}:${this.port}${path}`;
  /** How it answers at a path from now on. */
  at(path: string, answer: Answering | number): void {
    this.#answers.set(
      path,
      typeof answer === "number" ? (_, response) => void response.writeHead(answer).end() : answer,
    );
  }
  of = (path: string): Received[] => this.received.filter((one) => one.path === path);
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

/** What programs are answered. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: {
    data: Record<string, unknown> & { id: number; secret: string; state: string; deliveries: Sent[]; tries: Tried[] };
    errors?: Record<string, string[]>;
    code?: string;
    meta?: Record<string, unknown>;
  };
}
export interface Sent {
  readonly id: number;
  readonly message: string;
  readonly event: string;
  readonly model: string | null;
  readonly record: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
  readonly next_at: string | null;
}
export interface Tried {
  readonly status: number | null;
  readonly failure: string | null;
  readonly milliseconds: number;
  readonly answer?: string | null;
}

/** The people of an application, as programs, and its jobs. */
export class Story {
  readonly app: TestApp;
  readonly known: Known;

  constructor(app: TestApp, known: Known) {
    this.app = app;
    this.known = known;
  }
  get knex() {
    return databaseOf(this.app.application).knex;
  }
  async send(who: keyof Known, path: string, body?: object, method = body ? "POST" : "GET"): Promise<Answer> {
    const headers = { ...this.known[who], accept: "application/json", "content-type": "application/json" };
    const answer = await this.app.request(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    return { status: answer.status, text, body: (text.startsWith("{") ? JSON.parse(text) : {}) as Answer["body"] };
  }
  async page(who: keyof Known, path: string) {
    const answer = await this.app.request(path, { headers: { ...this.known[who], accept: "text/html" } });
    return { status: answer.status, text: await answer.text() };
  }
  /** A webhook of a person, with its secret. */
  async create(who: keyof Known, url: string, events: readonly string[], tenant = 1) {
    const { status, text, body } = await this.send(who, hooksOf(tenant), { url, events });
    if (status !== 201) throw new Error(text);
    return { id: body.data.id, secret: body.data.secret, path: `${hooksOf(tenant)}/${body.data.id}` };
  }
  /** What a webhook sent, the newest first. */
  async sent(who: keyof Known, path: string): Promise<Sent[]> {
    return (await this.send(who, path)).body.data.deliveries;
  }
  /** Runs all due jobs until nothing is left to do, not by the application's own turns of jobs either. */
  async work(): Promise<void> {
    const jobs = this.app.application.kernel.service("jobs");
    for (let left = 500; left > 0; left--) {
      if ((await jobs.drain()) > 0) continue;
      if (!(await this.#isBusy())) return;
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  async #isBusy(): Promise<boolean> {
    const running = await this.app.application.kernel.service("jobs").list({ state: "running", limit: 1 });
    const locked = await this.knex("framewright_webhook_deliveries").whereNotNull("locked_by").limit(1);
    return running.length + locked.length > 0;
  }
  /** As if time had passed: what is tried again later is due. */
  async later(): Promise<void> {
    const past = "2026-01-01 00:00:00.000";
    await this.knex("framewright_webhook_deliveries").where({ state: "waiting" }).update({ next_at: past });
    await this.knex("framewright_jobs").where({ state: "waiting", kind: "webhooks.deliver" }).update({ run_at: past });
    await this.work();
  }
}

/** What tests use of a model. */
export interface Rows {
  query(transaction?: unknown): {
    findById(id: number): { patch(values: object): Promise<unknown> };
    insert(values: object): Promise<{ id: number }>;
    deleteById(id: number): Promise<unknown>;
  };
}

/** Somebody in a browser without scripts. */
export class Person extends Client {
  readonly #known: Record<string, string>;

  constructor(url: string, known: Record<string, string>) {
    super(url);
    this.#known = known;
  }
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    return super.request(path, { ...init, headers: { ...(init.headers as object), cookie: this.#known.cookie! } });
  }
}
