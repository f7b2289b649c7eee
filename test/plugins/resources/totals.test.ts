import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { task, taskFiles } from "./tasks_app.ts";

const ann = { "x-user": "1" };
const cat = { "x-user": "3" };
const tasks = "/customer/1/tasks";
const definition = `this.perPage = 2;
  this.column("fee", { total: "sum", currency: "EUR" });
  this.column("hours", { total: "average", edit: true });
  this.column("weight", { total: "max" });
  this.column("position", { total: "min" });
  this.column("author", { total: "count" });
  this.action("destroy", { bulk: true });`;

for (const database of await databases()) {
  describe(`Totals below a list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const statements: string[] = [];
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants({ ...taskFiles(definition), "config/locales/de.json": "{}" }, await database.values());
        const { knex } = databaseOf(app.application);
        await knex("tasks").insert([
          task(1, { fee_cents: 100_050, hours: 1, weight: "1.250" }),
          task(2, { fee_cents: 123_456_00, hours: 2, weight: "0.100", author_id: null }),
          task(3, { fee_cents: null, hours: 2, weight: "10.000" }),
          task(4, { fee_cents: 5, hours: 90, title: "Hidden" }),
          task(5, { fee_cents: 999_999, hours: 90 }, 2),
          task(6, { fee_cents: 7, hours: 5, weight: null, status: "done", post_id: 1 }),
        ]);
        knex.on("query", ({ sql }: { sql: string }) => statements.push(sql));
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const page = async (path: string, headers: Record<string, string> = ann) => {
      statements.length = 0;
      const answer = await app.request(path, { headers });
      const html = await answer.text();
      assert.is(answer.status, 200, html);
      return html;
    };
    /** The totals of a page, by the label of their column. */
    const totals = (html: string) => {
      const foot = /<tfoot>.*<\/tfoot>/.exec(html)?.[0] ?? "";
      const cells = [...foot.matchAll(/<td data-label="([^"]*)"[^>]*>(.*?)<\/td>/g)];
      return Object.fromEntries(cells.map(([, label, cell]) => [label, cell!.replace(/<[^>]*>/g, "").trim()]));
    };

    can("They are of all rows that match and that the person may see, whatever the page shows", async () => {
      assert.equal(totals(await page(tasks)), {
        Fee: "Sum €124,456.57",
        Hours: "Average 2.5",
        Weight: "Most 10.000",
        Position: "Least 1",
        Author: "Count 3",
      });
      assert.equal(totals(await page(`${tasks}?page=2`)), totals(await page(tasks)));
      const narrowed = totals(await page(`${tasks}?filter[status]=done`));
      assert.equal([narrowed.Fee, narrowed.Hours, narrowed.Weight], ["Sum €0.07", "Average 5", "Most –"]);
      assert.is(totals(await page("/customer/1/posts/1/nested_tasks")).Fee, "Sum €0.07");
      assert.is(totals(await page("/customer/2/tasks", { "x-user": "2" })).Fee, "Sum €9,999.99");
    });

    can("They are written in the person's language", async () => {
      const german = totals(await page(tasks, { ...ann, "accept-language": "de" }));
      assert.match(german.Fee!, /^Summe 124\.456,57\s€$/);
      assert.is(german.Hours, "Mittel 2,5");
    });

    can("A column that is not permitted or not shown has none, and is not asked for", async () => {
      const html = await page(tasks, cat);
      assert.is(totals(html).Fee, undefined);
      assert.not.match(html, "124,456");
      assert.not.ok(statements.some((sql) => sql.includes("fee_cents as") || /`fee_cents` as/.test(sql)));
      assert.equal(Object.keys(totals(await page(`${tasks}?columns=title,fee`))), ["Fee"]);
      const without = await page(`${tasks}?columns=title,status`);
      assert.not.match(without, "<tfoot");
      assert.not.ok(statements.some((sql) => sql.includes("fw_rows")));
    });

    can("Only lists with totals ask for them, with one statement, and JSON and empty lists never do", async () => {
      await page(tasks);
      assert.is(statements.filter((sql) => sql.includes("fw_rows")).length, 1);
      for (const path of ["/customer/1/posts", `${tasks}?q=nothing`, `${tasks}.json`]) {
        assert.not.match(await page(path), "<tfoot");
        assert.not.ok(
          statements.some((sql) => sql.includes("fw_rows")),
          path,
        );
      }
    });

    can(
      "A cell that is edited brings the totals of its list as they are then, of what the person may see",
      async () => {
        const browse = app.client();
        const frame = "fw-cell-3-hours";
        const back = encodeURIComponent(`${tasks}?filter[status]=open`);
        const headers = { ...ann, "turbo-frame": frame };
        const html = await (await browse.request(`${tasks}/3/cells/hours?return_to=${back}`, { headers })).text();
        const fields = [...html.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
        const body = new URLSearchParams(
          fields.map(([, name, value]) => [name!, value!.replaceAll("&amp;", "&")] as [string, string]),
        );
        body.set("task[hours]", "3");
        const saved = await (await browse.request(`${tasks}/3/cells/hours`, { method: "POST", body, headers })).text();
        const shown = /<template data-totals>(.*)<\/template>/.exec(saved)?.[1] ?? saved;
        const foot = totals(await page(`${tasks}?filter[status]=open`));
        assert.match(shown, 'data-total="hours"');
        assert.is(shown.replace(/<[^>]*>/g, "").includes(foot.Hours!), true, `${shown} ${foot.Hours}`);
        await databaseOf(app.application).knex("tasks").where({ id: 3 }).update({ hours: 2 });
      },
    );

    can("A list of too many rows says that it has none", async () => {
      const { knex } = databaseOf(app.application);
      const columns = Object.keys(task(1)).filter((name) => !["id", "code", "serial"].includes(name));
      const names = columns.join(", ");
      const digits =
        "(select 0 d union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8 union all select 9)";
      await knex.raw(
        `insert into tasks (${names}) select ${columns.map((name) => `t.${name}`).join(", ")} from tasks t, ${digits} a, ${digits} b, ${digits} c, ${digits} e, ${digits} f where t.id = 1`,
      );
      try {
        const html = await page(tasks);
        assert.match(html, "No totals of more than 100,000 rows");
        assert.equal(totals(html).Fee, "Sum –");
        assert.is(totals(await page(`${tasks}?filter[status]=done`)).Fee, "Sum €0.07");
      } finally {
        await knex("tasks").whereNull("code").delete();
      }
    });
  });
}

describe("Columns without totals", (it) => {
  for (const [name, total] of [
    ["title", "sum"],
    ["fee", "product"],
  ])
    it(`The application does not boot with the ${total} of ${name}`, async () => {
      const error = await openTenants(taskFiles(`this.column("${name}", { total: "${total}" });`), {}).then(
        () => undefined,
        (problem: Error) => problem,
      );
      assert.match(error?.message ?? "it booted", `{ total: "${total}" }`);
    });
});
