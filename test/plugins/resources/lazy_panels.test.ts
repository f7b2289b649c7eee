import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// Panels of a plugin that load on their own, by the page of a record in a portal with tenants.

const loads = globalThis as { lazyLoads?: number };
const files = {
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    [
      "  scoping(),",
      `  scoping(),
  definePlugin({
    name: "history",
    requires: ["resources"],
    apply({ hooks }) {
      hooks.resources.panels.tap("history", (panels, { registration, record, controller }) => {
        if (registration.constant !== "Post") return;
        panels.add("history", { title: "History <1>", lazy: true, policy: "audit", content: async () => {
          (globalThis as { lazyLoads?: number }).lazyLoads!++;
          return html\`<p>of \${record.toLabel()} <b>&</b> for \${(controller.currentUser as { name: string }).name}</p>\`;
        } });
        panels.add("none", { title: "None", lazy: true, content: () => undefined });
        panels.add("broken", { title: "Broken", lazy: true, content: () => { throw new Error("out of paper"); } });
        panels.add("eager", { title: "Eager", content: () => html\`<i>eager</i>\` });
        panels.add("torn", { title: "Torn", content: async () => { throw new Error("torn"); } });
      });
    },
  }),`,
    ],
    ["import { definePlugin,", 'import { html } from "framewright/host"; import { definePlugin,'],
  ),
  "app/policies/post_policy.ts": edited(tenantFiles, "app/policies/post_policy.ts", [
    "  canPublish() {",
    "  canAudit() {\n    return this.user?.id !== 3;\n  }\n  override canShow() {\n    return this.record?.id !== 2 || this.user?.id === 3;\n  }\n  canPublish() {",
  ]),
};

for (const database of await databases()) {
  describe(`Lazy panels of a plugin, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        loads.lazyLoads = 0;
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const ask = (path: string, user = "1", headers: Record<string, string> = {}) =>
      app.request(path, { headers: { accept: "text/html", "x-user": user, ...headers } });
    const panel = "/customer/1/posts/1/panels/history";

    can("The page has the heading, a frame and a link for those without scripts, and loads nothing", async () => {
      const page = await (await ask("/customer/1/posts/1")).text();
      assert.match(page, '<h2 id="panel-history">History &lt;1&gt;</h2>');
      assert.match(page, `<turbo-frame id="panel-history-frame" src="${panel}" loading="lazy" target="_top">`);
      assert.match(page, `<noscript><p><a href="${panel}">Show “History &lt;1&gt;”</a></p></noscript>`);
      assert.match(page, "<i>eager</i>");
      assert.not.match(page, "of Post Alpine");
      assert.is(loads.lazyLoads, 0);
    });

    can("Its route answers the frame with the content, and a browser with a page that leads back", async () => {
      const frame = await (await ask(panel, "1", { "turbo-frame": "panel-history-frame" })).text();
      assert.is(
        frame.trim(),
        '<turbo-frame id="panel-history-frame"><p>of Post Alpine <b>&</b> for Ann Alpine</p>\n</turbo-frame>',
      );
      const page = await (await ask(panel)).text();
      assert.match(page, /<h1>History &lt;1&gt;<\/h1>[\s\S]*<p>of Post Alpine <b>&<\/b> for Ann Alpine<\/p>/);
      assert.match(page, '<a href="/customer/1/posts/1">Post Alpine</a>');
      assert.match(await (await ask("/customer/1/posts/1/panels/none")).text(), "Nothing here yet.");
    });

    can("Whoever may not see a panel gets 404, as for a panel that there is not", async () => {
      loads.lazyLoads = 0;
      const statuses = async (...asked: [path: string, user: string][]) =>
        Promise.all(asked.map(async ([path, user]) => (await ask(path, user)).status));
      assert.equal(await statuses(["/customer/1/posts/1/panels/nowhere", "1"]), [404]);
      assert.equal(await statuses([panel, "3"], ["/customer/2/posts/2/panels/history", "3"]), [404, 404]); // canAudit
      assert.equal(await statuses(["/customer/2/posts/2", "2"], ["/customer/2/posts/2/panels/none", "2"]), [403, 404]); // canShow
      assert.equal(await statuses(["/customer/2/posts/1/panels/none", "3"], [panel, "2"]), [404, 404]); // the tenant
      assert.equal(await statuses(["/customer/1/posts/1/panels/eager", "1"]), [404]);
      assert.is((await app.request(panel)).status, 401);
      assert.is((await ask(panel, "1", { accept: "application/json" })).status, 404);
      assert.is(loads.lazyLoads, 0);
    });

    can("A panel whose content fails says so, and the page around it stands", async () => {
      const page = await ask("/customer/1/posts/1");
      assert.is(page.status, 200);
      assert.match(await page.text(), /panel-torn[\s\S]*Couldn’t load\./);
      const frame = await ask("/customer/1/posts/1/panels/broken", "1", { "turbo-frame": "panel-broken-frame" });
      assert.is(frame.status, 500);
      const text = await frame.text();
      assert.match(text, '<a href="/customer/1/posts/1/panels/broken" data-turbo-frame="_self">Try again</a>');
      assert.not.match(text, "out of paper");
    });
  });
}

describe("Routes of lazy panels", (it) => {
  it("A record has no route for panels where no plugin adds any", async () => {
    const app = await openTenants();
    assert.equal(
      app.application.routes().filter(({ path }) => path.includes("/panels/")),
      [],
    );
    await app.close();
  });

  it("What a controller asks before the page of a record is asked before its panels", async () => {
    const path = "packages/customer_portal/app/controllers/customer_portal/posts_controller.ts";
    const app = await openTenants({
      ...files,
      [path]: `import { forbidden } from "framewright/host";
        import ResourceController from "./resource_controller.ts";
        export default class PostsController extends ResourceController {
          preview() { return this.head(204); }
          override async show() { throw forbidden(); }
        }`,
    });
    const answer = await app.request("/customer/1/posts/1/panels/history", { headers: { "x-user": "1" } });
    assert.is(answer.status, 403);
    await app.close();
  });
});
