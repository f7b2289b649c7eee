import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// A plugin that adds to the definitions and to the record pages of resources that are not its own.

const config = (defined: string, panels: string) =>
  edited(
    tenantFiles,
    "plugins.config.ts",
    [
      "  scoping(),",
      `  scoping(),
  definePlugin({
    name: "extra",
    requires: ["resources"],
    apply({ hooks }) {
      hooks.resources.define.tap("extra", (definition, { model, portal }) => {
        if (model.constant !== "Post" || portal !== "CustomerPortal") return;
        ${defined}
      });
      hooks.resources.panels.tapPromise("extra", async (panels, { registration, record, controller }) => {
        if (registration.constant !== "Post") return;
        ${panels}
      });
    },
  }),`,
    ],
    ["import { definePlugin,", 'import { html } from "framewright/host"; import { definePlugin,'],
  );
const policy = edited(tenantFiles, "app/policies/post_policy.ts", [
  "  canPublish() {",
  "  canAudit() {\n    return this.user?.id === 1;\n  }\n  canPublish() {",
]);
const opened = (defined: string, panels = ""): Promise<TestApp> =>
  openTenants({ "plugins.config.ts": config(defined, panels), "app/policies/post_policy.ts": policy });
const refusal = async (defined: string): Promise<string> => {
  try {
    await (await opened(defined)).close();
  } catch (error) {
    return (error as Error).message;
  }
  return assert.unreachable("it was accepted") as never;
};

describe("Resources that a plugin adds to", (it) => {
  it("Its filters, scopes and columns work as those of the definition, in the portal that it chose", async () => {
    const app = await opened(`
        definition.filter("title", { as: "text" });
        definition.scope("shared", { apply: (query) => query.where("author_id", 3) });
        definition.column("title", { label: "Headline" });`);
    const ask = (path: string) => app.request(path, { headers: { "x-user": "1" } });
    const page = await (await ask("/customer/1/posts?filter[title]=Alp&scope=shared")).text();
    for (const part of ['name="filter[title]"', "Headline", "Post Alpine"]) assert.match(page, part);
    assert.not.match(await (await ask("/guest/1/posts")).text(), "Headline");
    await app.close();
  });

  it("What it adds is checked at boot as what the definition says itself", async () => {
    assert.match(await refusal('definition.filter("nme" as never);'), '"nme"');
    assert.match(await refusal('definition.display("title", { as: "colur" });'), "colur");
  });

  it("Its panels stand where it says, for those whom the policy permits them, and load for nobody else", async () => {
    const loads = globalThis as { loaded?: number };
    loads.loaded = 0;
    const app = await opened(
      "",
      `panels.add("history", { title: "History", policy: "audit", content: async () => {
          (globalThis as { loaded?: number }).loaded!++;
          return html\`<p>of \${(record as unknown as { title: string }).title} <b>&</b></p>\`;
        } });
        panels.add("note", { title: "On top", position: "first", content: () => html\`<i>\${controller.currentUser ? "in" : "out"}</i>\` });
        panels.add("none", { title: "Nothing", content: () => undefined });
        panels.add("strange", { title: "Strange", policy: "fly", content: () => html\`flown\` });`,
    );
    const show = async (user: string) =>
      (await app.request("/customer/1/posts/1", { headers: { "x-user": user } })).text();
    const page = await show("1");
    assert.match(page, /panel-note[\s\S]*<i>in<\/i>[\s\S]*panel-comments[\s\S]*panel-history[\s\S]*of Post Alpine/);
    for (const absent of ["panel-none", "Strange", "flown"]) assert.not.match(page, absent);
    assert.is(loads.loaded, 1);
    const other = await show("3");
    assert.match(other, "panel-note");
    assert.not.match(other, "History");
    assert.is(loads.loaded, 1);
    await app.close();
  });

  it("Two panels of one key are no panels, which their place says", async () => {
    const twice = 'panels.add("a", { title: "A", content: () => undefined });';
    const app = await opened("", twice + twice);
    const answer = await app.request("/customer/1/posts/1", { headers: { "x-user": "1" } });
    assert.match(await answer.text(), "Couldn’t load.");
    await app.close();
  });
});
