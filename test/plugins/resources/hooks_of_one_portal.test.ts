import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const withTaps = (portal: string) => ({
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    ['requires: ["resources"],', 'requires: ["resources", "portals", "host"],'],
    ["apply({ hooks }) {", "apply({ hooks, tap }) {"],
    [
      'hooks.resources.scope.tap("widening"',
      `const portal = "${portal}";
    const name = "widening";
    hooks.resources.define.tap({ name, portal }, (definition) => definition.scope("of_one_portal", (query) => query));
    tap(hooks.resources.scope, (narrow) => narrow.addCondition("one", (group) => group.whereNot("title", "Post Hidden")), { portal });
    hooks.resources.listHead.tapPromise({ name, portal }, async (head) => void head.besideTabs.push(html\`<b>beside</b>\`));
    hooks.resources.fields.tap({ name, portal }, (names) => names.filter((one) => one !== "status"));
    tap(hooks.portals.navigation, (items) => void items.push({ label: "A line", url: "/line" }), { portal });
    tap(hooks.host.reply, ({ headers }) => { headers["x-portal"] = portal; }, { portal });
    hooks.resources.scope.tap("widening"`,
    ],
    ["import { assets }", 'import { html } from "framewright/host";\nimport { assets }'],
  ),
});

const [sqlite] = await databases();

describe("Hooks of one portal", (it) => {
  it("Taps for a portal run in it, at boot and in requests, and in no other", async () => {
    const app = await openTenants(withTaps("CustomerPortal"), await sqlite!.values());
    try {
      const list = async (portal: string) => {
        const answer = await app.request(`/${portal}/1/posts`, { headers: { "x-user": "1" } });
        assert.is(answer.status, 200);
        const page = await answer.text();
        const texts = ["scope=of_one_portal", "<b>beside</b>", 'href="/line"'];
        return [...texts.map((text) => page.includes(text)), answer.headers.get("x-portal")];
      };
      const [there, elsewhere] = [await list("customer"), await list("guest")];
      assert.equal(there.slice(0, 3), [true, true, true]);
      assert.equal(elsewhere.slice(0, 3), [false, false, false]);
      assert.equal([there.at(-1), elsewhere.at(-1)], ["CustomerPortal", null]);
      const read = async (portal: string) => {
        const url = `/${portal}/1/posts`;
        const answer = await app.request(url, { headers: { "x-user": "1", accept: "application/json" } });
        return ((await answer.json()) as { data: Record<string, unknown>[] }).data[0]!;
      };
      assert.not.ok("status" in (await read("customer")), "the waterfall took the field away");
      assert.ok("status" in (await read("guest")));
    } finally {
      await app.close();
    }
  });

  it("A portal that the application does not have is refused at boot, with the name that was meant", async () => {
    const error = await throwsCode("FW_TAP_PORTAL_UNKNOWN", async () =>
      (await openTenants(withTaps("CustomrPortal"), await sqlite!.values())).close(),
    );
    assert.match(
      error.message,
      /"widening" taps "\w+\.\w+" for the portal "CustomrPortal".*Did you mean "CustomerPortal"/,
    );
  });
});
