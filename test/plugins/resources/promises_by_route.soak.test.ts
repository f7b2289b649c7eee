import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answerBytes } from "../../support/answer_bytes.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { notificationsMigration, send, withNotifications } from "../notifications/notifications_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { task, taskFiles } from "./tasks_app.ts";

// Whatever a list offers, generated from its routes: no other tenant, no hidden record, no field that is not permitted, no
// change of what has changed since. Ann reads and writes all but some; Cat reads no fee and writes no state.

const plugins = join(import.meta.dirname, "../../../plugins");
const schema = ["attachments", "jobs", "background_runs", "imports", "saved_views", "undo"]
  .map((folder) => readFileSync(join(plugins, folder, "schema.liquid"), "utf8"))
  .join("");
const plain = taskFiles(`this.reorder("position");
  this.action("duplicate");
  this.files("photos");
  this.action("destroy", { bulk: true });
  for (const name of ["title", "status", "fee", "hours"]) this.column(name, { edit: true });
  this.column("hours", { total: "sum" });
  this.column("fee", { total: "sum" });`);
const policy = "app/policies/task_policy.ts";
const config = "plugins.config.ts";
const notified = withNotifications(tenantFiles);
const files = {
  ...plain,
  ...notificationsMigration,
  [policy]: edited(
    plain,
    policy,
    [
      'const all = [...this.permittedAttributesForCreate(), "position"];',
      'const all = ["title", "status", "hours", "position", ...(this.isCat ? [] : ["fee", "photos"])];',
    ],
    [
      "override canRead()",
      `override canExport() { return this.user !== undefined; } override canImport() { return this.user !== undefined; }
     override canShareViews() { return !this.isCat; } override canRead()`,
    ],
  ),
  [config]: edited(
    notified,
    config,
    [
      "import { i18n }",
      'import { attachments } from "framewright/plugins/attachments"; import { backgroundRuns } from "framewright/plugins/background_runs"; import { imports } from "framewright/plugins/imports"; import { jobs } from "framewright/plugins/jobs"; import { storage } from "framewright/plugins/storage"; import { savedViews } from "framewright/plugins/saved_views"; import { undo } from "framewright/plugins/undo"; import { i18n }',
    ],
    [
      "  resources(),",
      "  attachments({ thumbnails: false }),\n  savedViews(),\n  undo(),\n  resources(),\n  backgroundRuns(),\n  imports(),\n  jobs({ run: false }),\n  storage(),",
    ],
  ),
  "db/migrate/20260302000000_create_imports.ts": `export async function up(db) {\n${schema}}\nexport async function down(db) {}\n`,
};

const [GUEST, ANN, CAT, DAN] = [0, 1, 3, 4];
/** The ids of tasks: Ann's own, those that she must not tell from none, and one that is none. */
const [OWN, HIDDEN, FOREIGN, ABSENT] = ["1", "3003", "9009", "9999"];
const formats = ["application/json", "text/html"];
/** What the routes are for; each has at least one. */
const features: Readonly<Record<string, RegExp>> = {
  bulk: /tasks\/bulk\/:action_key$/,
  export: /tasks\/export\.(csv|jsonl|xlsx)$/,
  import: /\/tasks\/import/,
  views: /\/tasks\/views/,
  undo: /tasks\/deletions\/:undo_key\/undo$/,
  cells: /tasks\/:id\/cells\/:cell_name$/,
  order: /tasks\/:id\/order$/,
  files: /tasks\/:id\/files\//,
  duplicate: /\/tasks\/:id\/duplicate$/,
  palette: /\/_search$/,
  notifications: /\/_notifications/,
};
/** What reads the parameters of a list. */
const readsList = /tasks(?:\/export\.\w+|\/bulk\/:action_key|\/views)?$/;
/** What stands for a parameter that names no task. */
const named: Readonly<Record<string, string>> = {
  action_key: "destroy",
  cell_name: "hours",
  association: "author",
  file_field: "photos",
  file_number: "1",
  file_size: "large",
  post_id: "1",
  run_id: ABSENT,
  import_id: ABSENT,
  view_id: ABSENT,
  undo_key: "00000000-0000-4000-8000-000000009999",
  notification_id: ABSENT,
};

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The promises of a list by its routes, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        await knex()("tasks").insert([
          task(1, { fee_cents: 432_199, post_id: 1 }),
          task(2, { fee_cents: 100, post_id: 1 }),
          task(3003, { title: "Hidden", post_id: 1 }),
          task(9009, { title: "Baltic", fee_cents: 777_777 }, 2),
        ]);
        const Task = databaseOf(app.application)
          .models()
          .find(({ constant }) => constant === "Task")!.class;
        const attached = app.application.kernel.service("attachments");
        for (const [id, name] of [
          [1, "own"],
          [3003, "Hidden"],
          [9009, "Baltic"],
        ] as const) {
          const record = (await databaseOf(app.application).query(Task).findById(id)) as never;
          await attached.attach(record, "photos", { filename: `${name}.txt`, bytes: Buffer.from(name) });
        }
        await send(app, ANN, { title: "For Ann alone" }, { tenant: 1 });
        await send(app, 2, { title: "Baltic news" }, { tenant: 2 });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body, 120_000);
    const routes = () =>
      app.application
        .routes()
        .filter(({ engine, path }) => engine === "CustomerPortal" && path.startsWith("/customer/:organization_id/"));
    const own = () => routes().filter(({ path }) => Object.values(features).some((one) => one.test(path)));
    const fill = (path: string, id = OWN, tenant = "1") =>
      path
        .replace(":organization_id", tenant)
        .replace(/:(\w+)/g, (_, name: string) =>
          name === "id" && path.includes("tasks/:id") ? id : (named[name] ?? ABSENT),
        );
    interface Asked {
      user?: number;
      verb?: string;
      accept?: string;
      body?: unknown;
    }
    const ask = (path: string, { user = ANN, verb = "GET", accept = formats[0]!, body = {} }: Asked = {}) => {
      const isRead = verb === "GET" || verb === "HEAD";
      return app.request(path, {
        method: verb,
        redirect: "manual",
        headers: {
          accept,
          ...(user === GUEST ? {} : { "x-user": String(user) }),
          ...(isRead ? {} : { "content-type": "application/json" }),
        },
        ...(isRead ? {} : { body: JSON.stringify(body) }),
      });
    };
    const bytes = async (path: string, options: Asked) => answerBytes(await ask(path, options));
    const stored = async () => {
      const kept = ["attachments", "saved_views", "imports", "notifications", "background_runs", "deletions"];
      const tables = ["tasks", ...kept.map((name) => `framewright_${name}`)];
      return JSON.stringify(await Promise.all(tables.map((table) => knex()(table).orderBy("id"))));
    };
    const body = { task: { title: "Taken", hours: 1 }, ids: [OWN], name: "x", move: "up" };

    can("Each of the features has routes, and none of them has an open door for guests", async () => {
      for (const [name, pattern] of Object.entries(features))
        assert.ok(
          own().some(({ path }) => pattern.test(path)),
          name,
        );
      for (const name of ["bulk", "export", "cells", "order", "undo", "files"])
        assert.ok(
          own().some(({ path }) => path.includes("/nested_tasks/") && features[name]!.test(path)),
          `${name} below a post`,
        );
      const earlier = await stored();
      for (const { verb, path } of own())
        for (const accept of formats) {
          const answer = await bytes(fill(path), { user: GUEST, verb, accept, body });
          assert.match(answer, /^\[(401|303),/, `${verb} ${path}`);
        }
      assert.is(await stored(), earlier);
    });

    can("Another tenant is as one that never was, for its strangers, on every route and in both formats", async () => {
      const earlier = await stored();
      for (const { verb, path } of own())
        for (const accept of formats)
          for (const [user, tenant] of [
            [ANN, "2"],
            [DAN, "1"],
          ] as const) {
            const of = async (one: string) =>
              (await bytes(fill(path, OWN, one), { user, verb, accept, body })).replaceAll(
                `/customer/${one}`,
                "/customer/T",
              );
            const absent = await of(ABSENT);
            assert.match(absent, /^\[404,/, `${verb} ${path}`);
            assert.is(await of(tenant), absent, `${user} ${verb} ${accept} ${path}`);
          }
      assert.is(await stored(), earlier);
    });

    can(
      "A hidden record and one of another tenant are as one that never was, wherever a path or a body names it",
      async () => {
        const earlier = await stored();
        let tried = 0;
        for (const { verb, path } of own())
          for (const accept of formats) {
            const plainly = (text: string, id: string) =>
              text.replaceAll(new RegExp(`\\b${id}\\b`, "g"), "ID").replace(/"content-length","\d+"/, "");
            const at = async (id: string) => plainly(await bytes(fill(path, id), { verb, accept, body }), id);
            const picked = async (id: string) =>
              plainly(
                await bytes(`${fill(path)}${verb === "GET" ? `?ids[]=${id}` : ""}`, {
                  verb,
                  accept,
                  body: { ...body, ids: [id] },
                }),
                id,
              );
            const isOfRecord = path.includes("tasks/:id");
            if (!isOfRecord && !features.bulk!.test(path)) continue;
            const answer = isOfRecord ? at : picked;
            const absent = await answer(ABSENT);
            for (const id of [HIDDEN, FOREIGN]) assert.is(await answer(id), absent, `${verb} ${accept} ${path} ${id}`);
            tried++;
          }
        assert.ok(tried >= 12, `only ${tried}`);
        assert.is(await stored(), earlier);
      },
    );

    can("No route shows what nobody may read, what Cat may not read, or what is another person's", async () => {
      const secrets = /not for reading|Baltic|Hidden/;
      const fee = /4,?321[.,]99|432199|777777|4,?322[.,]99/;
      const queries = ["", "?columns=title,fee,internal,door_token", "?sort=-fee&filter[fee][from]=4000", "?q=4321"];
      let read = 0;
      for (const { verb, path } of routes()) {
        if (verb !== "GET") continue;
        for (const user of [ANN, CAT])
          for (const accept of formats)
            for (const query of path.endsWith(":id") ? [""] : queries) {
              const answer = await ask(fill(path) + query, { user, accept });
              const text = await answer.text();
              if (answer.status === 200) read++;
              assert.not.ok(answer.status >= 500, `${answer.status} ${path}${query}`);
              const about = `${user} ${accept} ${path}${query}`;
              assert.is(secrets.exec(text)?.[0], undefined, about);
              if (user === CAT && !query.includes("4321")) assert.is(fee.exec(text)?.[0], undefined, about);
              if (user === CAT) assert.not.match(text, "For Ann alone", about);
            }
      }
      assert.ok(read > 100, `only ${read}`);
      assert.match(await (await ask("/customer/1/tasks", { accept: "text/html" })).text(), /4,321\.99/);
    });

    can("What one may not read is no oracle: asked for, it answers as a name that does not exist", async () => {
      const asks = [
        (name: string) => `sort=${name}`,
        (name: string) => `filter[${name}]=1`,
        (name: string) => `columns=${name}`,
      ];
      const earlier = await stored();
      let tried = 0;
      for (const { verb, path } of routes()) {
        if (!["GET", "POST"].includes(verb) || !readsList.test(path)) continue;
        tried++;
        for (const query of asks)
          for (const [user, names] of [
            [CAT, ["fee", "fee_cents", "internal", "door_token"]],
            [ANN, ["internal", "door_token", "organization_id"]],
          ] as const) {
            const of = async (name: string) =>
              (await bytes(`${fill(path)}?${query(name)}`, { user, verb, body: { all: "1", name: "By it" } }))
                .replaceAll(query(name), "ASKED")
                .replaceAll(`${new URLSearchParams(query(name))}`, "ASKED")
                .replace(/"content-length","\d+"/, "");
            const unknown = await of("nothing_like_it");
            for (const name of names) assert.is(await of(name), unknown, `${user} ${verb} ${path} ${query(name)}`);
          }
      }
      assert.ok(tried >= 16, `only ${tried}`);
      assert.is(await stored(), earlier);
    });

    can("A view that an administrator shares shows nobody more than their own list", async () => {
      const query = "?columns=title,fee&sort=-fee&filter%5Bfee%5D%5Bfrom%5D=4000";
      assert.is(
        (await ask(`/customer/1/tasks/views${query}`, { verb: "POST", body: { name: "Dear ones", shared: "1" } }))
          .status,
        201,
      );
      await ask("/customer/1/tasks/views?sort=-hours", { verb: "POST", body: { name: "Long ones", shared: "1" } });
      const tabs = await (await ask("/customer/1/tasks", { user: CAT, accept: "text/html" })).text();
      assert.match(tabs, "Long ones");
      assert.not.match(tabs, /Dear ones|4000|sort=-fee/, "what was asked of a hidden field is not told either");
      const [dear, other] = await knex()("framewright_saved_views").orderBy("id").select("id");
      const choose = async ({ id }: { id: number }) =>
        (await ask(`/customer/1/tasks/views/${id}/default`, { user: CAT, verb: "POST", body: { me: "1" } })).status;
      const isKept = async () => (await knex()("framewright_default_views")).length;
      assert.equal([await choose(dear), await isKept(), await choose({ id: 9999 })], [404, 0, 404]);
      assert.equal([await choose(other), await isKept()], [200, 1]);
      await knex()("framewright_default_views").delete();
      const asIs = await ask(`/customer/1/tasks${query}`, { user: CAT, accept: "text/html" });
      assert.is(asIs.status, 303, "what is not theirs is left out of the address");
      assert.is(asIs.headers.get("location"), "/customer/1/tasks?view=none", "all of it at once");
      const mixed = "?q=Task&sort=-fee&filter[fee][from]=4000&columns=title,fee&after=x&per_page=50";
      const left = await ask(`/customer/1/tasks${mixed}`, { user: CAT, accept: "text/html" });
      assert.is(left.headers.get("location"), "/customer/1/tasks?q=Task&per_page=50");
      const followed = await app.request(`/customer/1/tasks${query}`, {
        headers: { "x-user": String(CAT), accept: "text/html" },
        redirect: "follow",
      });
      const shown = await followed.text();
      assert.not.match(followed.url, /sort|filter/);
      for (const title of ["Task 1", "Task 2"]) assert.match(shown, title);
      assert.not.match(shown, /4,321|data-label="Fee"/);
      for (const format of ["csv", "jsonl"]) {
        const file = await (await ask(`/customer/1/tasks/export.${format}${query}`, { user: CAT })).text();
        assert.not.match(file, /4,?321[.,]99/);
      }
      assert.not.match(await (await ask("/customer/2/tasks", { user: CAT, accept: "text/html" })).text(), "Dear ones");
      await knex()("framewright_saved_views").delete();
    });

    can(
      "What was changed since it was read is not changed by a form, a cell or a deletion that does not know of that",
      async () => {
        const page = await (await ask("/customer/1/tasks/2/edit", { accept: "text/html" })).text();
        const version = /name="(?:task\[)?lock_version\]?" value="([^"]+)"/.exec(page)![1]!;
        await knex()("tasks").where({ id: 2 }).update({ status: "busy", updated_at: "2026-03-09 10:00:00.000" });
        const earlier = await stored();
        let tried = 0;
        for (const { verb, path } of routes()) {
          if (!["PATCH", "PUT", "DELETE"].includes(verb) || !/\/tasks\/:id(\/cells\/:cell_name)?$/.test(path)) continue;
          const sent = { task: { title: "Late", hours: 7, lock_version: version }, lock_version: version };
          const accept = path.includes("/cells/") ? "text/html" : formats[0]!;
          assert.is((await ask(fill(path, "2"), { verb, accept, body: sent })).status, 409, `${verb} ${path}`);
          tried++;
        }
        assert.ok(tried >= 3, `only ${tried}`);
        assert.is(await stored(), earlier);
      },
    );
  });
}
