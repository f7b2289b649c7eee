import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { openShop, shopFiles } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// The pages that show all jobs to whom the portal allows it.

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/jobs/schema.liquid"), "utf8");
const background = readFileSync(join(import.meta.dirname, "../../../plugins/background_runs/schema.liquid"), "utf8");
const concern = "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts";
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const allow = 'allow: ({ currentUser }) => (currentUser as { name?: string } | undefined)?.name === "Root"';
const files = {
  "plugins.config.ts": edited(
    shopFiles,
    "plugins.config.ts",
    [
      "import { i18n }",
      'import { backgroundRuns } from "framewright/plugins/background_runs"; import { jobs } from "framewright/plugins/jobs";\nimport { definePlugin } from "framewright/kernel";\nimport { i18n }',
    ],
    [
      "export default",
      `const work = definePlugin({
        name: "work", requires: ["jobs", "resources"],
        apply({ services: { jobs }, hooks }) {
          hooks.resources.backgroundAccount.tapPromise("work", async () => ({ id: 1, name: "Somebody" }));
          jobs.define<{ works?: boolean }>("report", async ({ works }) => { if (!works) throw new Error("no <paper> left"); });
          jobs.every("nightly", { kind: "report", cron: "0 3 * * *" });
        },
      });
      export default`,
    ],
    ["resources(),\n]", "resources(), backgroundRuns(), jobs({ run: false }), work]"],
  ),
  "packages/admin_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals";
    import { jobPages } from "framewright/plugins/jobs/pages";
    export const AdminPortal = definePortal("AdminPortal", (portal) => portal.use(jobPages({ ${allow} })));`,
  [concern]: `import { type ControllerClass, concern } from "framewright";
    import { CurrentUser, PortalController } from "framewright/plugins/portals";
    export default <B extends ControllerClass>(Base: B) =>
      concern(Base, PortalController, CurrentUser(async (request) => { const name = request.header("x-user"); return name ? { id: 1, name } : undefined; }));`,
  "db/migrate/20260102000000_create_jobs.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { ${schema}${background} }
    export async function down(_db: Schema) {}`,
  [definition]: edited(
    shopFiles,
    definition,
    ["export default", 'import TouchPosts from "../../interactions/blogging/touch_posts.ts"; export default'],
    [
      'this.action("tidy"',
      'this.action("touch", { interaction: TouchPosts, resourceAction: true });\n    this.action("tidy"',
    ],
  ),
  [policy]: edited(shopFiles, policy, ["canTidy() {", "canTouch() { return true; }\n  canTidy() {"]),
  "packages/blogging/app/interactions/blogging/touch_posts.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
    export default class TouchPosts extends Interaction { static override inBackground = true; async execute() { return succeed(this.record); } }`,
};
const root = { "x-user": "Root" };
const json = { accept: "application/json" };
const formOf = (page: string, action: string): string => {
  const start = page.indexOf(`action="${action}"`);
  assert.ok(start > 0, `no form for ${action}`);
  return /name="_csrf" value="([^"]+)"|name="([^"]+)" value="([^"]{20,})"/.exec(page.slice(start))![0];
};

for (const database of await databases()) {
  describe(`Pages of jobs, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const jobs = () => app.application.kernel.service("jobs");
    before(async () => {
      if (!database.skip) app = await openShop(files, await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const list = async (query = "") =>
      (await (await app.request(`/admin/jobs${query}`, { headers: { ...root, ...json } })).json()) as {
        data: { id: number; state: string; attempts: number; last_error: string | null }[];
        meta: {
          runs: { id: number; action: string; state: string; total: number; done: number }[];
          schedules: { name: string }[];
          counts: { state: string; count: number }[];
        };
      };
    const post = (path: string, headers: Record<string, string> = root) =>
      app.request(`/admin/jobs/${path}`, {
        method: "POST",
        body: "{}",
        headers: { ...headers, ...json, "content-type": "application/json" },
      });

    it.unless(
      database.skip,
      "Whom the portal does not allow is refused on every route, and has no line in the sidebar",
      async () => {
        for (const [path, method] of [
          ["jobs", "GET"],
          ["jobs/1/retry", "POST"],
          ["jobs/1/discard", "POST"],
          ["jobs/retry_failed", "POST"],
          ["jobs/runs/1/cancel", "POST"],
        ] as const) {
          const ask = (user: string) =>
            app.request(`/admin/${path}`, {
              method,
              headers: { ...json, "content-type": "application/json", ...(user ? { "x-user": user } : {}) },
              ...(method === "POST" ? { body: "{}" } : {}),
            });
          assert.is((await ask("Somebody")).status, 403, path);
          assert.is((await ask("")).status, 401, path);
        }
        const page = async (user: string) =>
          (await app.request("/admin/authors", { headers: { "x-user": user } })).text();
        assert.match(await page("Root"), 'href="/admin/jobs"');
        assert.not.match(await page("Somebody"), 'href="/admin/jobs"');
      },
    );

    it.unless(database.skip, "A failed job is shown with its error, tried again, and discarded", async () => {
      const id = await jobs().enqueue("report", {}, { maxAttempts: 1 });
      await jobs().drain();
      const { data, meta } = await list("?state=failed");
      assert.equal(
        data.map((job) => [job.id, job.state, job.last_error]),
        [[id, "failed", "no <paper> left"]],
      );
      assert.equal(
        meta.schedules.map(({ name }) => name),
        ["nightly"],
      );
      assert.equal(meta.counts, [{ kind: "report", state: "failed", count: 1 }]);
      const page = await (await app.request("/admin/jobs?state=failed", { headers: root })).text();
      assert.match(page, "no &lt;paper&gt; left");
      assert.match(page, "0 3 * * *");
      assert.is((await post(`${id}/retry`)).status, 200);
      assert.equal(
        (await list()).data.map(({ state, attempts }) => [state, attempts]),
        [["waiting", 0]],
      );
      await jobs().drain();
      assert.equal(((await (await post("retry_failed")).json()) as { data: { count: number } }).data.count, 1);
      assert.is((await post(`${id}/discard`)).status, 200);
      assert.equal((await list()).data, []);
      assert.is((await post(`${id}/discard`)).status, 409);
      assert.is((await post(`${id}/retry`)).status, 409);
      for (const bad of ["0", "01", "1e0", "9007199254740993", "x"])
        assert.is((await post(`${bad}/retry`)).status, 404, bad);
    });

    it.unless(
      database.skip,
      "A browser does so by forms, which need their token and lead back to the tab",
      async () => {
        const id = await jobs().enqueue("report", {}, { maxAttempts: 1 });
        await jobs().drain();
        const answer = await app.request("/admin/jobs?state=failed", { headers: root });
        const cookie = answer.headers
          .getSetCookie()
          .map((one) => one.split(";")[0])
          .join("; ");
        const page = await answer.text();
        const [, name, value] = /name="([^"]+)" value="([^"]+)"/.exec(formOf(page, `/admin/jobs/${id}/retry`))!;
        const send = (body: string) =>
          app.request(`/admin/jobs/${id}/retry`, {
            method: "POST",
            body,
            redirect: "manual",
            headers: { ...root, cookie, "content-type": "application/x-www-form-urlencoded" },
          });
        assert.is((await send("state=failed")).status, 403);
        const done = await send(new URLSearchParams({ [name!]: value!, state: "failed" }).toString());
        assert.equal([done.status, done.headers.get("location")], [303, "/admin/jobs?state=failed"]);
        assert.is((await jobs().list({ state: "waiting" })).length, 1);
        await jobs().discard(id);
      },
    );

    it.unless(
      database.skip,
      "Work on many records shows its progress, and whoever started it, it can be cancelled",
      async () => {
        const created = await app.request("/admin/blogging/posts", {
          method: "POST",
          body: JSON.stringify({ blogging_post: { title: "First" } }),
          headers: { ...root, ...json, "content-type": "application/json" },
        });
        assert.is(created.status, 201);
        const start = {
          method: "POST",
          body: "{}",
          headers: { "x-user": "Somebody", ...json, "content-type": "application/json" },
        };
        assert.is((await app.request("/admin/blogging/posts/actions/touch", start)).status, 202);
        const [run] = (await list()).meta.runs;
        assert.equal([run!.action, run!.state, run!.total, run!.done], ["touch", "waiting", 1, 0]);
        const part = await (
          await app.request("/admin/jobs", { headers: { ...root, "turbo-frame": "long-work" } })
        ).text();
        assert.match(part, "0 of 1");
        assert.not.match(part, "nightly");
        assert.is((await post(`runs/${run!.id}/cancel`, { "x-user": "Somebody" })).status, 403);
        assert.is((await post(`runs/${run!.id}/cancel`)).status, 200);
        assert.is((await list()).meta.runs[0]!.state, "cancelled");
        assert.is((await post(`runs/${run!.id}/cancel`)).status, 409);
        assert.is((await post("runs/99/cancel")).status, 409);
      },
    );
  });
}

describe("Pages of jobs without runs in the background", (it) => {
  it("backgroundRuns() may be listed without its table, which no action needs: there are no runs", async () => {
    const own = { [definition]: shopFiles[definition]!, [policy]: shopFiles[policy]! };
    const migration = "db/migrate/20260102000000_create_jobs.ts";
    const app = await openShop({ ...files, ...own, [migration]: files[migration].replace(background, "") });
    try {
      const page = await app.request("/admin/jobs", { headers: root });
      assert.is(page.status, 200);
      const headers = { ...root, ...json, "content-type": "application/json" };
      const cancelled = await app.request("/admin/jobs/runs/1/cancel", { method: "POST", body: "{}", headers });
      assert.is(cancelled.status, 409);
    } finally {
      await app.close();
    }
  });
});

describe("Pages of jobs at boot", (it) => {
  const engine = (options: string) => ({
    ...files,
    "packages/admin_portal/lib/engine.ts": files["packages/admin_portal/lib/engine.ts"].replace(
      `{ ${allow} }`,
      options,
    ),
  });
  it("They say who may see them, or the application does not boot", () =>
    throwsCode("FW_JOB_PAGES_ALLOW", () => openShop(engine("{} as never"))).then(() => undefined));
  it("A portal that serves a tenant is refused", async () => {
    const path = "packages/customer_portal/lib/engine.ts";
    const changes = {
      [path]: edited(
        tenantFiles,
        path,
        ["export const", 'import { jobPages } from "framewright/plugins/jobs/pages"; export const'],
        ["(engine) => {", "(engine) => { engine.use(jobPages({ allow: () => true }));"],
      ),
    };
    await throwsCode("FW_JOB_PAGES_TENANT", () => openTenants(changes));
  });
});
