import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// What a plugin adds to the user menu and to the head of pages.

async function inApp<T>(changes: Record<string, string>, story: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await openTenants(changes);
  return story(app).finally(() => app.close());
}
const adding = (body: string) => ({
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    [
      "  scoping(),",
      `  scoping(),
  definePlugin({ name: "handbook", requires: ["portals", "layout", "assets"], apply({ hooks, services }) { void hooks; void services; ${body} } }),`,
    ],
    ["import { definePlugin,", 'import { html } from "framewright/host"; import { definePlugin,'],
  ),
});
const page = async (app: TestApp, user = "1", headers: Record<string, string> = {}) =>
  (await app.request("/customer/1/posts", { headers: { accept: "text/html", "x-user": user, ...headers } })).text();

describe("User menu and head of pages", (it) => {
  it("A plugin adds links and buttons to the user menu, in their order, with a token where something is sent", async () => {
    await inApp(
      adding(`hooks.portals.userMenu.tap("handbook", (items, { request, currentUser }) => {
        items.push({ label: "Last", url: "/last", order: 95 });
        items.push({ label: "Help <b>", url: "javascript:alert(1)" });
        items.push({ label: "Leave", url: request.mountPath + "/leave", method: "delete", icon: "logout", order: 5 });
        if ((currentUser as { id: number }).id === 3) items.push({ label: "Cat's", url: "/cats" });
      });`),
      async (app) => {
        const text = await page(app);
        assert.match(
          text,
          /<form method="post" action="\/customer\/1\/leave"><input type="hidden" name="authenticity_token" value="[\w-]+"><input type="hidden" name="_method" value="delete"><button class="fw-dropdown-item"><(?:svg|i) [\s\S]*Leave<\/button><\/form>[\s\S]*<a class="fw-dropdown-item" href="#">Help &lt;b&gt;<\/a>[\s\S]*<a class="fw-dropdown-item" href="\/last">Last<\/a>/,
        );
        assert.not.match(text, "Cat&#39;s");
        assert.match(await page(app, "3"), "Cat&#39;s");
      },
    );
  });

  it("A plugin adds to the head, escaped unless it is safe, and the same element once", async () => {
    await inApp(
      adding(`const { head } = services.layout;
      const script = () => html\`<script src="\${services.assets.url("framewright.js")}" async></script>\`;
      head.add(script); head.add(script);
      head.add(({ actionName }) => html\`<meta name="place" content="\${actionName}&quot;\${'"'}">\`);
      head.add(() => undefined);
      head.add(() => "<base>" as never);`),
      async (app) => {
        const text = await page(app);
        const head = text.slice(0, text.indexOf("</head>"));
        assert.is(head.match(/framewright[\w.-]*\.js" async>/g)?.length, 1);
        assert.match(head, '<meta name="place" content="index&quot;&quot;">&lt;base&gt;');
        assert.not.match(await page(app, "1", { "turbo-frame": "x" }), 'name="place"');
      },
    );
  });

  it("Pages have the same bytes where nothing is added", async () => {
    const same = (text: string) =>
      text.replace(/[\w-]{86}/g, "TOKEN").replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID");
    const other = await inApp(adding("services.layout.head.add(() => undefined);"), page);
    assert.is(same(other), same(await inApp({}, page)));
  });
});
