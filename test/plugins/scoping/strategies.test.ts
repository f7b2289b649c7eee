import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { askAt, bytesOf } from "./subdomain_app.ts";
import { openTenants, tenantFiles } from "./tenants.ts";

// A plugin's strategy says which tenant is meant. It opens none that the person may not enter.

const engine = "packages/customer_portal/lib/engine.ts";
const posts = `import Organization from "#app/models/organization.ts"; import ResourceController from "./resource_controller.ts";
  export default class PostsController extends ResourceController { async preview() {
    return this.json({ there: this.resourceUrlFor(this.record!, { portal: "CustomerPortal", entity: (await Organization.query().findById(2)) as never }), list: this.request.kernel.service("scoping").entryUrl(this) ?? null });
  } }`;
const gateway = (strategy: string, name = "gateway", rest = "") => `import { definePlugin } from "framewright/kernel";
  import type {} from "framewright/plugins/scoping"; import type {} from "framewright/plugins/database";
  export const gateway = (name = ${JSON.stringify(name)}, plugin = "gateway") => definePlugin({ name: plugin, requires: ["host", "database", "scoping"],
    apply({ services: { host, database, scoping } }) { void [host, database]; scoping.strategies.add(name, ${strategy} as never); ${rest} } });`;
const byHeader = `{
  find: async (request: { singleHeader(name: string): string | undefined }, rule: { entity: { class: never } }) => {
    const named = request.singleHeader("x-tenant");
    if (named === "throw") throw new Error("the gateway's table is gone");
    if (named === "text") return "acme";
    if (named === "post") return database.query(database.model("Post" as never).class).findById(1);
    if (named === "unsaved") return new rule.entity.class();
    return named === undefined ? undefined : database.query(rule.entity.class).findById(named);
  } }`;
const files = (plugin: string, list = "gateway()"): Record<string, string> => ({
  "lib/gateway.ts": plugin,
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    ["import { definePlugin,", 'import { gateway } from "./lib/gateway.ts"; import { definePlugin,'],
    ["scoping(),", `scoping(), ${list},`],
  ),
  [engine]: edited(tenantFiles, engine, [
    "scopeToEntity(Organization)",
    'scopeToEntity(Organization, { strategy: "gateway" })',
  ]),
  "packages/customer_portal/app/controllers/customer_portal/posts_controller.ts": posts,
  "packages/guest_portal/app/controllers/guest_portal/posts_controller.ts": posts,
});

describe("A strategy of a plugin", (it) => {
  const within = async (changes: Record<string, string>, story: (app: TestApp) => Promise<void>) => {
    const app = await openTenants(changes);
    await story(app).finally(() => app.close());
  };
  const ask = (app: TestApp, tenant: string | undefined, path = "/customer/posts", user = "1") =>
    askAt(app, "localhost", path, {
      headers: { "x-user": user, ...(tenant === undefined ? {} : { "x-tenant": tenant }) },
    });

  it("It names the tenant, and the person's access is decided as ever: a foreign one is as none", () =>
    within(files(gateway(byHeader)), async (app) => {
      assert.match((await ask(app, "1")).text, "Post Alpine");
      const none = await ask(app, "999");
      assert.is(none.status, 404);
      for (const tenant of ["2", undefined, "", "1, 1"])
        assert.is(bytesOf(await ask(app, tenant)), bytesOf(none), tenant);
      assert.is(bytesOf(await ask(app, "1", "/customer/posts/2")), bytesOf(await ask(app, "1", "/customer/posts/999")));
      assert.is((await askAt(app, "localhost", "/customer/posts", { headers: { "x-tenant": "1" } })).status, 401);
    }));
  it("What it answers besides a stored tenant, and what it throws, is 500 and opens nothing", () =>
    within(files(gateway(byHeader)), async (app) => {
      for (const tenant of ["throw", "text", "post", "unsaved"]) {
        const answer = await ask(app, tenant);
        assert.is(answer.status, 500, tenant);
        assert.not.ok(answer.text.includes("Alpine"), tenant);
      }
    }));
  it("Without url all tenants share their addresses, and there is no list of them", () =>
    within(files(gateway(byHeader)), async (app) => {
      const { text } = await ask(app, "1", "/customer/posts/1/preview");
      assert.equal(JSON.parse(text), { there: "/customer/posts/1", list: null });
      assert.is(app.application.hostCookies, undefined);
    }));
  it("An address that is no origin is refused by the names of portal and strategy", () =>
    within(
      files(
        gateway(
          byHeader.replace(/\}\s*$/, `, url: (tenant: { name: string }) => "https://" + tenant.name + "/path" }`),
        ),
      ),
      async (app) => {
        const logged: string[] = [];
        app.application.log.error = ((...parts: unknown[]) => void logged.push(String(parts.at(-1)))) as never;
        assert.is((await ask(app, "1", "/customer/posts/1/preview")).status, 500);
        assert.match(logged.join(), /FW_SCOPE_ORIGIN.*"url" of the strategy "gateway".*CustomerPortal/);
      },
    ));
  it("Two plugins with one strategy, an unfit one, path and a strategy that is added late are refused by name", async () => {
    const refused = async (code: string, changes: Record<string, string>) =>
      (await throwsCode(code, () => within(changes, async () => undefined))).message;
    const both = files(gateway(byHeader), 'gateway(), gateway("gateway", "second")');
    assert.match(
      await refused("FW_REGISTRY_TAKEN", both),
      /"gateway" and "second" both add the scoping strategy "gateway"/,
    );
    assert.match(await refused("FW_REGISTRY_TAKEN", files(gateway(byHeader, "subdomain"))), /"scoping" and "gateway"/);
    for (const [strategy, problem] of [
      ["{}", /no find/],
      ["undefined", /undefined/],
      ["{ find: true }", /"find" is a boolean/],
      ["{ find: () => undefined, ulr: () => '' }", /no place for "ulr"/],
      ["{ find: () => undefined, entry: () => '' }", /no url/],
    ] as const)
      assert.match(await refused("FW_SCOPE_STRATEGY_SHAPE", files(gateway(strategy))), problem);
    assert.match(
      await refused("FW_SCOPE_STRATEGY_SHAPE", files(gateway(byHeader, "path"))),
      /"path" can't be replaced/,
    );
    const misspelt = { ...files(gateway(byHeader)), [engine]: edited(files(""), engine, ['"gateway"', '"gatewy"']) };
    assert.match(await refused("FW_SCOPE_METHOD", misspelt), /Did you mean "gateway"/);
    await within(files(gateway(byHeader)), async ({ application }) => {
      const { strategies } = application.kernel.service("scoping");
      await throwsCode("FW_SCOPE_STRATEGY_LATE", async () => strategies.add("late", { find: () => undefined }));
      await throwsCode("FW_SCOPE_STRATEGY_LATE", async () =>
        strategies.add("gateway", { find: () => undefined }, { replace: true }),
      );
    });
  });
});
