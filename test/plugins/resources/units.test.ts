import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { Person } from "./fields_app.ts";
import { task, taskFiles } from "./tasks_app.ts";

const tasks = "/customer/1/tasks";
const definition = `this.field("weight", { unit: "kg", hint: "Net" });
    this.field("hours", { unit: "h <b>" }); this.display("fee", { currency: "EUR" });
    this.column("weight", { total: "sum", edit: true }); this.column("hours", { total: "average" });
    this.action("weigh", { interaction: Weigh, policy: "update" });`;
const files = taskFiles(definition);
const weigh = `import { Interaction, succeed } from "framewright/plugins/resources";
class Weigh extends Interaction {
  static override attributes = { mass: { as: "decimal", unit: "g" }, price: { as: "money", currency: "USD" } };
  async execute() { return succeed(); }
}
`;
const path = "app/definitions/task_definition.ts";
/** The group of an input: its markup, without what is in other fields. */
const groupOf = (html: string, id: string) =>
  new RegExp(`<div class="fw-signed[^"]*">(?:(?!</div>).)*id="${id}"(?:(?!</div>).)*</div>`, "s").exec(html)?.[0] ?? "";

for (const database of await databases()) {
  describe(`Currencies and units, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const german = { "accept-language": "de" };
    const get = async (url: string, more: Record<string, string> = {}) =>
      (await app.request(url, { headers: { "x-user": "1", ...more } })).text();
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(
          {
            ...files,
            [path]: weigh + files[path]!,
            "config/locales/nl.json": JSON.stringify({ models: { task: { one: "Taak", many: "Taken" } } }),
            "config/locales/de.json": JSON.stringify({ models: { task: { one: "Aufgabe", many: "Aufgaben" } } }),
          },
          await database.values(),
        );
        const { knex } = databaseOf(app.application);
        await knex("tasks").insert([task(1), task(2, { weight: "1234.500", hours: null })]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);

    can("An input has its unit or currency beside it, which screen readers hear with it", async () => {
      const html = await get(`${tasks}/1/edit`);
      assert.match(groupOf(html, "task_weight"), 'aria-describedby="task_weight_sign task_weight_hint"');
      assert.match(groupOf(html, "task_weight"), '<span class="fw-sign" id="task_weight_sign">kg</span></div>');
      assert.match(groupOf(html, "task_hours"), 'id="task_hours_sign">h &lt;b&gt;</span>');
      assert.match(groupOf(html, "task_fee"), 'id="task_fee_sign">€</span>');
      assert.not.match(html, /task_title_sign/);
      const action = await get(`${tasks}/1/actions/weigh`);
      assert.match(groupOf(action, "interaction_mass"), ">g</span>");
      assert.match(groupOf(action, "interaction_price"), ">$</span>");
      assert.match(await get(`${tasks}/1/cells/weight`), 'id="task_weight_sign">kg</span>');
    });

    can("The currency stands where the language writes it", async () => {
      const html = await get(`${tasks}/1/edit`, german);
      assert.match(groupOf(html, "task_fee"), 'id="task_fee_sign">€</span></div>');
      assert.match(groupOf(html, "task_weight"), 'value="1,500"');
      const dutch = await get(`${tasks}/1/edit`, { "accept-language": "nl" });
      assert.match(
        groupOf(dutch, "task_fee"),
        /^<div class="fw-signed fw-signed-before"><span class="fw-sign" id="task_fee_sign">€<\/span>/,
      );
    });

    can("Pages, lists and totals say the unit after the figure, at the right in lists", async () => {
      assert.match(await get(`${tasks}/2`), '<span class="fw-number">1,234.500\u00a0kg</span>');
      const list = await get(tasks);
      assert.match(list, /<td data-label="Weight" class="fw-numeric">(?:(?!<\/td>).)*1,234\.500\u00a0kg/s);
      assert.match(list, /<tfoot>.*1,236\.000\u00a0kg.*<\/tfoot>/s);
      assert.match(list, /<tfoot>.*4\u00a0h &lt;b&gt;.*<\/tfoot>/s);
      assert.match(await get(tasks, german), "1.234,500\u00a0kg");
      assert.match(list, /4\u00a0h &lt;b&gt;/);
      assert.not.match(list, /h <b>/);
    });

    can("What is sent, saved and given to programs has figures alone", async () => {
      const { status } = await new Person(app.url, 1).submit(`${tasks}/1/edit`, { "task[weight]": "2.25" });
      assert.is(status, 303);
      const answer = await app.request(`${tasks}/1.json`, { headers: { "x-user": "1" } });
      assert.equal(((await answer.json()) as { data: { weight: unknown } }).data.weight, "2.250");
      const refused = await new Person(app.url, 1).submit(`${tasks}/1/edit`, { "task[weight]": "2.25 kg" });
      assert.is(refused.status, 422);
      assert.match(await refused.text(), 'aria-describedby="task_weight_errors task_weight_sign task_weight_hint"');
    });
  });
}
