import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { edited } from "../../support/fixtures.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { ReplicatedMariadb } from "../../support/replication.ts";
import { accountFiles, type Known, openTenants, signedIn } from "../scoping/tenants.ts";

const fw = join(import.meta.dirname, "../../../generators/bin/fw.js");
const testEnv = {
  NODE_ENV: "test",
  SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
};
type Served = Awaited<ReturnType<typeof serveApp>>;
const json = { accept: "application/json", "content-type": "application/json" };
/** Long enough for two looks at a replica, and for one that came back. */
const NOTICE_TIMEOUT_MS = 15_000;

/** A policy that looks into another table: whoever is renamed sees no category any more. */
const categories = {
  "app/policies/category_policy.ts": `import { Policy } from "framewright/plugins/resources"; import User from "../models/user.ts";
    export default class CategoryPolicy extends Policy { override canRead() { return true; } override permittedAttributesForRead() { return ["name"]; }
      override relationScope(query) { return query.whereExists(User.query().where("users.id", this.user.id).where("users.name", "like", "% Alpine")); } }`,
};

/** Tells with each reply how many statements this process reported, by server; only where it is asked for. */
const counting = {
  "plugins.config.ts": edited(accountFiles, "plugins.config.ts", [
    "definePlugins([...standard,",
    `definePlugins([...standard, definePlugin({ name: "counting", requires: ["host"], apply({ hooks }) {
      if (!process.env.FW_TEST_COUNT) return;
      const counts = { primary: 0, replica: 0 };
      hooks.host.observe.tap("counting", (event) => { if (event.kind === "statement") counts[event.server]++; });
      hooks.host.reply.tap("counting", (reply) => { reply.headers["x-counts"] = JSON.stringify(counts); });
    } }),`,
  ]),
};

/** What one person brings, and the cookie that a reply gave them. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** The value of `fw_written`, where the reply set it. */
  readonly written: string | undefined;
  readonly milliseconds: number;
  /** The statements that the process has reported, by server: see `counting`. */
  readonly counts: { primary: number; replica: number };
}

/** Two processes of one application with tenants and accounts, on a primary and its replica. */
export class ReplicatedApp {
  readonly servers: ReplicatedMariadb;
  readonly known: Known;
  readonly #root: string;
  readonly #served: Served[] = [];

  static async run(body: (app: ReplicatedApp) => Promise<void>, { delay = 0, values = {} } = {}): Promise<void> {
    const servers = await ReplicatedMariadb.start(delay);
    let app: ReplicatedApp | undefined;
    try {
      const seeded = await openTenants(
        { ...accountFiles, ...categories, ...counting },
        { DATABASE_URL: servers.primary.url },
      );
      const known = await signedIn(seeded).finally(() => seeded.close());
      await servers.caughtUp();
      app = new ReplicatedApp(servers, known, seeded.root);
      await app.serve(2, values);
      await app.readsReplica();
      await body(app);
    } finally {
      await app?.stop();
      await servers.remove();
    }
  }
  private constructor(servers: ReplicatedMariadb, known: Known, root: string) {
    this.servers = servers;
    this.known = known;
    this.#root = root;
  }

  async serve(processes: number, values: Record<string, string> = {}): Promise<void> {
    const { primary, replica } = this.servers;
    const all = { DATABASE_URL: primary.url, DATABASE_REPLICA_URLS: replica.url, LOG_LEVEL: "warn", ...values };
    for (let count = 0; count < processes; count++) this.#served.push(await serveApp(this.#root, all));
  }
  get output(): string {
    return this.#served.map(({ output }) => output()).join("\n");
  }
  /** One request to one of the processes. */
  async request(
    process: number,
    path: string,
    person: Record<string, string>,
    init: RequestInit = {},
  ): Promise<Answer> {
    const start = performance.now();
    const headers = { ...json, ...person };
    const answer = await fetch(this.#served[process]!.url + path, { redirect: "manual", ...init, headers });
    const text = await answer.text();
    const written = answer.headers.getSetCookie().flatMap((line) => /^fw_written=([^;]+)/.exec(line)?.[1] ?? [])[0];
    const counts = JSON.parse(answer.headers.get("x-counts") ?? "{}") as Answer["counts"];
    return { status: answer.status, text, written, counts, milliseconds: performance.now() - start };
  }
  async create(process: number, person: Record<string, string>, title: string): Promise<Answer> {
    const body = JSON.stringify({ post: { title, status: "live" } });
    return this.request(process, "/customer/1/posts", person, { method: "POST", body });
  }
  /** What a person brings who was given a cookie. */
  with(person: Record<string, string>, written: string | undefined): Record<string, string> {
    return { ...person, cookie: `${person.cookie}; fw_written=${written}` };
  }

  /** Resolves when both processes read the replica. */
  async readsReplica(): Promise<void> {
    for (const process of this.#served.keys()) {
      const until = Date.now() + NOTICE_TIMEOUT_MS;
      for (;;) {
        await this.servers.forget();
        await this.request(process, "/customer/1/posts", this.known.cat);
        if ((await this.servers.asked("replica", "posts")) > 0) break;
        if (Date.now() > until) throw new Error(`process ${process} does not read the replica: ${this.output}`);
        await sleep(200);
      }
    }
    await this.servers.forget();
  }

  /** What `fw doctor` prints of replicas with these addresses. */
  async doctor(urls: string): Promise<string> {
    const env = { ...process.env, ...testEnv, DATABASE_URL: this.servers.primary.url, DATABASE_REPLICA_URLS: urls };
    const child = spawn(process.execPath, [fw, "doctor"], { cwd: this.#root, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    await exitOf(child);
    return output
      .split("\n")
      .filter((line) => line.includes("replica"))
      .join("\n");
  }

  async stop(): Promise<void> {
    for (const { child } of this.#served.splice(0)) {
      child.kill("SIGTERM");
      await exitOf(child);
    }
  }
}
