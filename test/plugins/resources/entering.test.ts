import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { backgroundFiles } from "./background_app.ts";

// Whoever may not come in by a request does not by work in the background: what decides it is the same function.

interface Run {
  state: string;
  done: number;
  refused: number;
  reasons: Record<string, number>;
}
const posts = "/customer/1/posts";
const ann = { "x-user": "1" };
const headers = { ...ann, accept: "application/json", "content-type": "application/json" };
const room = globalThis as { closed?: boolean; onMark?: (() => void) | undefined };

const concern = "packages/customer_portal/app/controllers/customer_portal/concerns/controller.ts";
const config = (apply: string) =>
  edited(
    backgroundFiles,
    "plugins.config.ts",
    ['name: "people",\n        requires: [', 'name: "people",\n        requires: ["host", '],
    ['hooks.resources.backgroundRun.tap("people"', `${apply}\n          hooks.resources.backgroundRun.tap("people"`],
  );
const inConcern = (members: string) =>
  edited(tenantFiles, concern, ["async currentOrganization() {", `${members}\n    async currentOrganization() {`]);
const refuse = `if ((globalThis as { closed?: boolean }).closed)`;

/** What may stand on the way in, and refuses while `room.closed`. */
const steps: Record<string, Record<string, string>> = {
  "What a plugin prepares": {
    "plugins.config.ts": config(`hooks.host.engine.tap("people", (engine) => {
      engine.prepare.push((controller) => { ${refuse} controller.head(403); });
    });`),
  },
  "A before-action": {
    [concern]: inConcern(`static override beforeActions = ["refuseClosed"];
    refuseClosed() { ${refuse} this.head(403); }`),
  },
  "A finder of accounts that replies": {
    [concern]: inConcern(`override async findCurrentUser() {
      const user = await super.findCurrentUser();
      ${refuse} this.head(403);
      return user;
    }`),
  },
  "A finder of accounts that finds nobody": {
    [concern]: inConcern(`override async findCurrentUser() {
      ${refuse} return undefined;
      return super.findCurrentUser();
    }`).replace("PublicAccess, findUser", "findUser"),
  },
  "The constraint of a mount": {
    "config/routes.ts": edited(
      tenantFiles,
      "config/routes.ts",
      ["import { drawRoutes }", 'import { Reply } from "framewright/host";\nimport { drawRoutes }'],
      [
        'routes.mount(CustomerPortal, { at: "/customer" });',
        `routes.mount(CustomerPortal, { at: "/custom" });
  routes.constraints(async () => ((globalThis as { closed?: boolean }).closed ? new Reply(403, "") : true), () => routes.mount(CustomerPortal, { at: "/customer" }));`,
      ],
    ),
  },
};

for (const database of await databases()) {
  describe(`The way in, for requests and for work in the background, on ${database.name}`, (it, { after }) => {
    after(() => database.clean?.());
    const knex = (app: TestApp) => databaseOf(app.application).knex;
    const shown = async (app: TestApp, answer: Response): Promise<Run> => {
      await app.application.kernel.service("jobs").drain();
      const url = answer.headers.get("location")!;
      return ((await (await app.request(url, { headers })).json()) as { data: Run }).data;
    };
    const start = (app: TestApp) =>
      app.request(`${posts}/actions/mark`, { method: "POST", headers, body: '{"interaction":{"label":"red"}}' });

    for (const [what, changes] of Object.entries(steps)) {
      it.unless(database.skip, `${what} binds requests and runs alike`, async () => {
        Object.assign(room, { closed: false, onMark: undefined });
        const files = {
          ...backgroundFiles,
          ...changes,
          "app/interactions/mark_posts.ts": edited(backgroundFiles, "app/interactions/mark_posts.ts", [
            'if (record.title === "Slow")',
            '(globalThis as { onMark?: () => void }).onMark?.();\n        if (record.title === "Slow")',
          ]),
        };
        const app = await openTenants(files, await database.values());
        try {
          for (const title of ["Second", "Third"])
            await knex(app)("posts").insert({ title, status: "live", organization_id: 1, author_id: 1 });
          assert.is((await app.request(posts, { headers })).status, 200);
          room.onMark = () => {
            room.closed = true;
          };
          const started = await start(app);
          assert.is(started.status, 202, await started.clone().text());
          await app.application.kernel.service("jobs").drain();
          const refused = await app.request(posts, { headers });
          assert.ok([401, 403].includes(refused.status), String(refused.status));
          assert.ok([401, 403].includes((await start(app)).status), "and it starts no run");
          room.closed = false;
          const { state, done, refused: left, reasons } = await shown(app, started);
          assert.equal({ state, done, left, reasons }, { state: "done", done: 1, left: 2, reasons: { entry: 2 } });
        } finally {
          Object.assign(room, { closed: false, onMark: undefined });
          await app.close();
        }
      });
    }

    it.unless(database.skip, "A membership or a right that is taken away refuses requests and runs alike", async () => {
      const app = await openTenants(backgroundFiles, await database.values());
      try {
        for (const [title, status, kind] of [
          ["Leave", 404, "entry"],
          ["Forbid", 403, "policy"],
        ] as const) {
          await knex(app)("posts").where("id", ">", 2).delete();
          for (const one of [title, "Third"])
            await knex(app)("posts").insert({ title: one, status: "live", organization_id: 1, author_id: 1 });
          const started = await start(app);
          await app.application.kernel.service("jobs").drain();
          assert.is((await start(app)).status, status, "a request");
          if (title === "Leave") await knex(app)("memberships").insert({ user_id: 1, organization_id: 1 });
          const { done, refused, reasons } = await shown(app, started);
          assert.equal({ done, refused, reasons }, { done: 2, refused: 1, reasons: { [kind]: 1 } });
        }
      } finally {
        await app.close();
      }
    });
  });
}
