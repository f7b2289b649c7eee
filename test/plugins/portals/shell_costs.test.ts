import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { notificationFiles } from "../notifications/notifications_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { openWizards, wizardFiles } from "../wizards/mounts_support.ts";
import { grouped } from "./navigation_app.ts";

// What the shell's parts cost ordinary pages: no statement.

/** Tells with each reply how many statements the process has reported. */
const counting = (files: Record<string, string>) => ({
  "plugins.config.ts": edited(
    files,
    "plugins.config.ts",
    [/^import/, 'import { definePlugin as define } from "framewright/kernel";\nimport'],
    [
      /\n?\]\);\s*$/,
      `
  define({ name: "counting", requires: ["host"], apply({ hooks }) {
    let count = 0;
    hooks.host.observe.tap("counting", (event) => { if (event.kind === "statement") count++; });
    hooks.host.reply.tap("counting", (reply) => { reply.headers["x-statements"] = String(count); });
  } }),
]);`,
    ],
  ),
});
type Ask = (path: string) => Promise<Response>;
/** The statements of a page that was shown before, and the page. */
async function statementsOf(ask: Ask, path: string): Promise<{ count: number; html: string }> {
  for (let warm = 0; warm < 2; warm++) await (await ask(path)).text();
  const before = Number((await ask("/assets/none")).headers.get("x-statements"));
  const answer = await ask(path);
  const html = await answer.text();
  return { count: Number(answer.headers.get("x-statements")) - before, html };
}
const headers = { accept: "text/html", "x-user": "1" };

describe("What the shell costs", (it) => {
  it("Groups, the switcher and the bell add no statement to a list, a record and a form", async () => {
    const measured: number[][] = [];
    for (const files of [tenantFiles, { ...tenantFiles, ...notificationFiles, ...grouped }]) {
      const app = await openTenants({ ...files, ...counting(files) });
      const ask: Ask = (path) => app.request(path, { headers });
      try {
        const counts: number[] = [];
        for (const path of ["/customer/1/posts", "/customer/1/posts/1", "/customer/1/posts/new"])
          counts.push((await statementsOf(ask, path)).count);
        measured.push(counts);
      } finally {
        await app.close();
      }
    }
    assert.ok(measured[0]!.every((count) => count > 0));
    assert.equal(measured[1], measured[0]);
  });
  it("Wizards on a resource add no statement to its list", async () => {
    const definition = "app/definitions/post_definition.ts";
    const without = edited(wizardFiles, definition, ['    this.wizard("intake", ImportWizard);\n', ""]);
    const counts: number[] = [];
    for (const changes of [{ [definition]: without }, {}] as Record<string, string>[]) {
      const app = await openWizards({ ...changes, ...counting(wizardFiles) });
      const ask: Ask = (path) => app.request(path, { headers });
      try {
        const { count, html } = await statementsOf(ask, "/admin/posts");
        assert.is(html.includes("fw-draft-intake"), definition in changes === false);
        counts.push(count);
      } finally {
        await app.close();
      }
    }
    assert.is(counts[1], counts[0]);
  });
});
