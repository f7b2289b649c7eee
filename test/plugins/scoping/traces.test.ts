import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import type {} from "framewright/plugins/jobs";
import type { TestApp } from "../../support/apps.ts";
import { databases, type TestDatabase } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { jobsMigration } from "../jobs/support.ts";
import { controllers, portal, post, routes, withAll } from "./audit_apps.ts";
import { byHeader, ids, marks, openTenants, tenantFiles } from "./tenants.ts";

type Tenant = "a" | "b";
const other = (tenant: Tenant): Tenant => (tenant === "a" ? "b" : "a");
const REQUESTS = 1000;

/** A post is logged and enqueued with its title, from the variable `keep`: the request's own, or one that all share. */
const tracing = (keep: "own" | "shared"): Record<string, string> => {
  const path = `${portal}/config/routes.ts`;
  const drawn = routes(
    'routes.registerDashboard(FiguresDashboard, { at: "figures" });',
    'import FiguresDashboard from "../app/dashboards/customer_portal/figures_dashboard.ts"; import type {} from "framewright/plugins/dashboards";\n',
  );
  return {
    "plugins.config.ts": withAll["plugins.config.ts"]!,
    "db/migrate/20260104000000_create_framewright_jobs.ts": jobsMigration,
    [path]: edited({ [path]: drawn }, path, [
      'm.get("preview", { as: "preview" }));',
      'm.get("preview", { as: "preview" })); r.member((m) => { m.get("broken"); m.post("reindex"); });',
    ]),
    [`${controllers}/posts_controller.ts`]: edited(
      tenantFiles,
      `${controllers}/posts_controller.ts`,
      [
        "import ResourceController",
        'import type {} from "framewright/plugins/jobs";\nlet shared = "";\nimport ResourceController',
      ],
      [
        "  preview() {",
        `  broken() { throw new Error("the post " + this.record!.toLabel() + " is broken"); }
  async reindex() {
    const { application, kernel } = this.request; const own = this.record!.toLabel(); shared = own;
    await new Promise((resolve) => setTimeout(resolve, 1));
    application.log.info({ post: this.record!.$id() }, "reindexed " + ${keep});
    await kernel.service("jobs").enqueue("index post", { title: ${keep} });
    return this.json({});
  }
  preview() {`,
      ],
    ),
    [`${portal}/app/dashboards/customer_portal/figures_dashboard.ts`]: `import { Dashboard } from "framewright/plugins/dashboards"; ${post}
      export default class FiguresDashboard extends Dashboard { override configure() { super.configure();
        this.metric("posts", { value: async () => { const [first] = await this.query(Post); throw new Error("no figure of " + first!.title); } }); } }`,
  };
};

/** What requests of two tenants leave behind: lines of the log and jobs, each by the tenant whose request it is of. */
class Traces {
  readonly lines: { tenant: Tenant | undefined; text: string }[] = [];
  readonly jobs: { tenant: Tenant | undefined; text: string }[] = [];
  readonly #current = new AsyncLocalStorage<Tenant>();
  readonly #requests = new Map<unknown, Tenant>();
  readonly #enqueued = new Map<unknown, Tenant | undefined>();

  constructor({ application }: TestApp) {
    const respond = application.respond.bind(application);
    application.respond = (request) => {
      const tenant: Tenant = request.path.startsWith(`/customer/${ids.a.organizations}`) ? "a" : "b";
      this.#requests.set(request.id, tenant);
      return this.#current.run(tenant, () => respond(request));
    };
    for (const level of ["info", "warn", "error"] as const)
      application.log[level] = (...values: unknown[]) => this.#log(values);
    const jobs = application.kernel.service("jobs");
    const enqueue = jobs.enqueue.bind(jobs);
    jobs.enqueue = async (...given) => {
      const id = await enqueue(...given);
      this.#enqueued.set(id, this.#current.getStore());
      return id;
    };
    jobs.define("index post", async (payload, { id }) => {
      this.jobs.push({ tenant: this.#enqueued.get(id), text: JSON.stringify(payload) });
    });
  }

  /** A line is of the request that it names, of the job that it names, of the path, or of the request that it was written in. */
  #log(values: unknown[]): void {
    const text = values.map((value) => (typeof value === "string" ? value : inspect(value, { depth: 6 }))).join(" ");
    const { request, job, path } = values[0] as { request?: string; job?: number; path?: string };
    const byPath = path?.startsWith("/customer/")
      ? path.startsWith(`/customer/${ids.a.organizations}`)
        ? "a"
        : "b"
      : undefined;
    const tenant = this.#requests.get(request) ?? this.#enqueued.get(job) ?? byPath ?? this.#current.getStore();
    this.lines.push({ tenant, text });
  }
}

/** Interleaves requests that log, enqueue and fail. */
async function interleave(app: TestApp): Promise<Traces> {
  const traces = new Traces(app);
  const { cat } = await byHeader();
  const send = async (index: number) => {
    const tenant: Tenant = index % 2 === 0 ? "a" : "b";
    const at = `/customer/${ids[tenant].organizations}`;
    const record = `${at}/posts/${ids[tenant].posts}`;
    const headers = { ...cat, accept: "application/json", "content-type": "application/json" };
    const [path, method, status] = [
      [`${record}/reindex`, "POST", 200],
      [`${record}/broken`, "GET", 500],
      [`${at}/dashboards/figures/cards/posts`, "GET", 500],
      [`${at}/posts`, "GET", 200],
    ][(index >> 1) % 4] as [string, string, number];
    const answer = await app.request(path, { method, headers, ...(method === "POST" ? { body: "{}" } : {}) });
    assert.is(answer.status, status, await answer.text());
  };
  for (let at = 0; at < REQUESTS; at += 20) await Promise.all(Array.from({ length: 20 }, (_, n) => send(at + n)));
  await app.application.kernel.service("jobs").drain();
  return traces;
}

/** The traces of a tenant's requests that have the mark of the other, and those that have a mark and are of no request. */
const mixed = (list: Traces["lines"]): string[] =>
  list
    .filter(({ tenant, text }) => (tenant ? text.includes(marks[other(tenant)]) : /Alpine|Baltic/.test(text)))
    .map(({ tenant, text }) => `${tenant}: ${text}`);
const marked = (list: Traces["lines"], tenant: Tenant): number =>
  list.filter((one) => one.tenant === tenant && one.text.includes(marks[tenant])).length;

const tracesOf = async (database: TestDatabase, keep: "own" | "shared"): Promise<Traces> => {
  const app = await openTenants(tracing(keep), await database.values());
  try {
    return await interleave(app);
  } finally {
    await app.close();
  }
};

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`What requests of two tenants leave behind on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body, 120_000);

    can(
      "1,000 interleaved requests leave no mark of one tenant in the lines of the log and the jobs of the other",
      async () => {
        const { lines, jobs } = await tracesOf(database, "own");
        assert.equal(mixed(lines), []);
        assert.equal(mixed(jobs), []);
        assert.is(jobs.length, REQUESTS / 4);
        for (const tenant of ["a", "b"] as const) {
          assert.is(marked(jobs, tenant), REQUESTS / 8);
          assert.ok(marked(lines, tenant) >= (REQUESTS * 3) / 8, `${marked(lines, tenant)} lines of ${tenant}`); // reindexed, broken, no figure
        }
      },
    );

    can(
      "A text that an application keeps for all requests is found in the log and in the jobs of the other tenant",
      async () => {
        const { lines, jobs } = await tracesOf(database, "shared");
        assert.ok(mixed(lines).some((line) => line.includes("reindexed")));
        assert.ok(mixed(jobs).length > 0);
      },
    );
  });
}
