import { html } from "framewright/host";
import { openKernel, type Settings } from "framewright/kernel";
import { i18n } from "framewright/plugins/i18n";
import { renderSlotNames, views } from "framewright/plugins/views";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// What plugins render in the pages of the framework.

const config = (body: string) => ({
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    [
      "  scoping(),",
      `  scoping(),
  definePlugin({ name: "marks", requires: ["views"], apply({ services: { views: { slots } } }) { ${body} } }),`,
    ],
    [
      "import { definePlugin,",
      'import { html } from "framewright/host"; import { renderSlotNames } from "framewright/plugins/views"; import { definePlugin,',
    ],
  ),
});
const everywhere = `for (const name of renderSlotNames) slots.add(name, () => html\`<!--\${name}-->\`);`;
const paths = ["/customer/1/posts", "/customer/1/posts/1", "/customer/1/posts/new", "/customer/1/posts/1/edit"];
const pageOf = async (app: TestApp, path: string) => {
  const answer = await app.request(path, { headers: { accept: "text/html", "x-user": "1" } });
  const text = await answer.text();
  return text.replace(/[\w-]{86}/g, "TOKEN").replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID");
};

async function inApp<T>(changes: Record<string, string>, story: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await openTenants(changes);
  return story(app).finally(() => app.close());
}

describe("Render slots", (it) => {
  it("Each slot stands where its name says, and pages differ by nothing but what is rendered there", async () => {
    const pages = await inApp(config(everywhere), (app) => Promise.all(paths.map((path) => pageOf(app, path))));
    const [list, record, fresh, edit] = pages as [string, string, string, string];
    assert.match(list, /<!--list\.before_table--><[\s\S]*<table[\s\S]*<\/table>[\s\S]*<!--list\.after_table-->/);
    assert.match(record, /<!--record\.before_details--><section[\s\S]*<dl[\s\S]*<!--record\.after_details-->\n/);
    for (const form of [fresh, edit])
      assert.match(
        form,
        /<form[\s\S]*<!--form\.before_fields--><div class="fw-fields">[\s\S]*<\/div><!--form\.after_fields-->[\s\S]*<\/form>/,
      );
    for (const page of pages)
      assert.match(page, /<\/nav><!--shell\.sidebar_end-->\s*<\/aside>[\s\S]*<!--shell\.page_end-->\s*<\/body>/);
    const plain = await inApp({}, (app) => Promise.all(paths.map((path) => pageOf(app, path))));
    assert.equal(
      pages.map((page) => page.replace(/<!--[a-z_.]+-->/g, "")),
      plain,
    );
  });

  it("A slot gets the variables of the page and the controller with its record, and escapes what is not safe", async () => {
    const fills = config(`slots.add("record.after_details", (locals, { record, registration }) =>
          html\`<p>\${locals.title}|\${record?.toLabel()}|\${registration.constant}|\${"<i>"}</p>\`);
        slots.add("record.after_details", () => undefined);
        slots.add("record.after_details", () => "<u>" as never);
        slots.add("shell.page_end", ({ title }, { actionName }) => html\`<q>\${title} \${actionName}</q>\`);
        slots.add("form.after_fields", ({ title }, { record }) => html\`<s>\${title} of \${record?.toLabel() ?? "nobody"}</s>\`);`);
    await inApp(fills, async (app) => {
      const record = await pageOf(app, paths[1]!);
      assert.match(record, "<p>Post Alpine|Post Alpine|Post|&lt;i&gt;</p>&lt;u&gt;\n");
      assert.match(record, "<q>Post Alpine show</q>");
      assert.match(await pageOf(app, paths[2]!), "<s>New post of nobody</s>");
      assert.match(await pageOf(app, paths[3]!), "<s>Edit Post Alpine of Post Alpine</s>");
    });
  });

  it("A misspelt slot does not compile, and is refused with a suggestion", async () => {
    const kernel = await openKernel([i18n(), views()], { settings: { root: "", env: "test" } as Settings });
    const { slots } = kernel.service("views");
    // @ts-expect-error: the name is one of renderSlotNames
    const error = await throwsCode("FW_RENDER_SLOT_NAME", () => slots.add("record.after_detail", () => html``));
    assert.match(error.message, 'Did you mean "record.after_details"?');
    for (const name of renderSlotNames) assert.match(error.message, name);
    assert.ok(slots.isEmpty);
    await kernel.close();
  });
});
