import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { asPerson, files, openDashboards } from "./dashboards_app.ts";

// Cards that plugins add to dashboards that are not their own.

const adding = (...plugins: [name: string, lines: string][]) => ({
  "plugins.config.ts": edited(
    files,
    "plugins.config.ts",
    [
      "dashboards()])",
      `dashboards(), ${plugins
        .map(
          ([name, lines]) => `definePlugin({ name: "${name}", requires: ["dashboards"], apply({ hooks }) {
          hooks.dashboards.cards.tap("${name}", (dashboard, mount) => { if (mount.portal !== "AdminPortal") return; ${lines} }); } })`,
        )
        .join(", ")}])`,
    ],
    [
      "import { definePlugins }",
      'import Post from "#app/models/post.ts"; void Post; import { definePlugin, definePlugins }',
    ],
  ),
});
const number = (key: string, more = "") => `dashboard.metric("${key}", { value: () => 41 + 1${more} });`;

describe("Cards that a plugin adds", (it) => {
  it("A card stands after those of the dashboard it chose, for those whom its policy permits", async () => {
    const app = await openDashboards(
      adding([
        "stock",
        number("stock") +
          number("for_bob", ", policy: async ({ currentUser }) => (currentUser as { id: number }).id === 2") +
          'dashboard.list("posts", { query: () => dashboard.query(Post) });',
      ]),
    );
    const as = asPerson(app);
    const [ann, bob] = [await (await as(1, "/admin")).text(), await (await as(2, "/admin")).text()];
    assert.match(ann, /id="card-broken"[\s\S]*id="card-stock"/);
    assert.not.match(ann, "card-for_bob");
    assert.match(bob, "card-for_bob");
    const card = (user: number, key: string) => as(user, `/admin/dashboards/main/cards/${key}`);
    assert.match(await (await card(1, "stock")).text(), "<strong>42</strong>");
    assert.equal([(await card(1, "for_bob")).status, (await card(2, "for_bob")).status], [403, 200]);
    const posts = await (await card(1, "posts")).text();
    assert.match(posts, "Ann today");
    assert.not.match(posts, "Bob");
    assert.not.match(await (await as(1, "/team/1")).text(), "card-stock");
    await app.close();
  });

  it("A key that the dashboard or another plugin has is refused at boot by the names of both", async () => {
    const refused = async (...plugins: [string, string][]) => {
      const error = await throwsCode("FW_DASHBOARD_CARD_TAKEN", async () =>
        (await openDashboards(adding(...plugins))).close(),
      );
      return error.message;
    };
    assert.match(
      await refused(["stock", number("fresh")]),
      'the dashboard itself and "stock" both declare the card "fresh" of MainDashboard',
    );
    assert.match(
      await refused(["stock", number("a")], ["depot", number("a")]),
      '"stock" and "depot" both declare the card "a"',
    );
  });

  it("A mistake in a card of a plugin is found at boot, and names the plugin", async () => {
    const wrong = adding(["stock", 'dashboard.metric("a", { vlaue: () => 1 } as never);']);
    const error = await throwsCode("FW_DASHBOARD_CARD", async () => (await openDashboards(wrong)).close());
    assert.match(
      error.message,
      'the plugin "stock", on MainDashboard, declares the card "a": metric has no option vlaue',
    );
  });
});
