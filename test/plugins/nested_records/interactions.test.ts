import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as } from "../wizards/mounts_support.ts";
import { asAnn, openPermits, permitFiles } from "./permits_app.ts";

const interaction = `import { Interaction, type InteractionAttributes, type InteractionValues, succeed } from "framewright/plugins/resources";
  import type Permit from "#app/models/permit.ts";
  const attributes = {
    reason: { as: "string", presence: true },
    visits: { as: "repeated", minimum: 1, maximum: 3, collapsed: true, fields: {
      day: { as: "date", presence: true },
      result: { as: "select", choices: ["fine", "open"] },
      remark: { as: "text", presence: true, condition: ({ values }) => values.result === "open" },
    } },
    contact: { as: "group", fields: { name: { as: "string", presence: true } } },
  } as const satisfies InteractionAttributes<Permit>;
  export default class Inspect extends Interaction<Permit, InteractionValues<typeof attributes>> {
    static override attributes = attributes;
    async execute() {
      const days: readonly string[] = this.values.visits.map(({ day }) => day);
      const text = JSON.stringify([days, this.values.visits.map(({ remark }) => remark), this.values.contact.name]);
      await this.transaction("notes").insert({ text, permit_id: this.record.$id() as number });
      return succeed(this.record).withMessage("Inspected");
    }
  }`;
const files = {
  "app/interactions/inspect.ts": interaction,
  "app/definitions/permit_definition.ts": edited(
    permitFiles,
    "app/definitions/permit_definition.ts",
    ["super.configure();", 'super.configure(); this.action("inspect", { interaction: Inspect, policy: "update" });'],
    ["import type {} from", 'import Inspect from "#app/interactions/inspect.ts";\n  import type {} from'],
  ),
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows in the form of an interaction, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip === undefined) app = await openPermits(await database.values(), files);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const notes = async () => (await databaseOf(app.application).knex("notes")).map(({ text }) => JSON.parse(text));
    const path = "/admin/permits/1/actions/inspect";

    can("Its form has the fewest rows, and its buttons add, remove and keep what was typed", async () => {
      const client = as(app.client(), 1);
      const page = await client.page(path);
      assert.match(page, /<legend class="form-label"><span data-row-number>Visit 1<\/span>/);
      assert.match(page, 'name="interaction[contact][name]"');
      const more = await client.submit(path, { _add: "visits", "interaction[visits][0][day]": "2026-05-01" });
      const html = await more.text();
      assert.is(more.status, 422);
      assert.match(html, /<span class="fw-row-label">2026-05-01<\/span>.*?<details class="fw-row-details"><summary>/s);
      assert.match(html, /<details class="fw-row-details" open><summary>/);
      assert.match(html, /value="2026-05-01"[^>]* name="interaction\[visits\]\[0\]\[day\]"/);
      assert.match(html, 'name="interaction[visits][1][day]"');
      assert.not.match(html, "fw-error-summary");
    });
    can("Errors stand at their cell, in JSON by its path, and nothing is done", async () => {
      const client = as(app.client(), 1);
      const wrong = await client.submit(path, { "interaction[reason]": "x", "interaction[visits][0][day]": "soon" });
      const html = await wrong.text();
      assert.match(html, /<a href="#interaction_visits-0-day">Visit 1, Day/);
      assert.match(html, /<a href="#interaction_contact-name">Name/);
      const { status, errors } = await asAnn(app).json("/permits/1/actions/inspect.json", {
        interaction: {
          reason: "x",
          visits: [{ day: "2026-05-01", result: "open" }, { day: "no" }],
          contact: { name: "Bo" },
        },
      });
      assert.equal([status, Object.keys(errors).sort()], [422, ["visits.0.remark", "visits.1.day"]]);
      const mistyped = await asAnn(app).json("/permits/1/actions/inspect.json", {
        interaction: { reason: "x", visits: [{ dya: "2026-05-01" }, { day: "2026-05-01" }], contact: { name: "Bo" } },
      });
      assert.equal([mistyped.status, Object.keys(mistyped.errors ?? {})], [422, ["visits.0.day"]]);
      assert.equal(await notes(), []);
    });
    can("Its values are typed lists and objects, from a form and from JSON alike", async () => {
      const client = as(app.client(), 1);
      const sent = await client.submit(path, {
        "interaction[reason]": "x",
        "interaction[visits][0][day]": "2026-05-01",
        "interaction[contact][name]": "Ada",
      });
      assert.is(sent.status, 303, await sent.text());
      const { status } = await asAnn(app).json("/permits/1/actions/inspect.json", {
        interaction: {
          reason: "x",
          visits: [{ day: "2026-06-01", result: "open", remark: "wet" }, { day: "2026-06-02" }],
          contact: { name: "Bo" },
        },
      });
      assert.is(status, 200);
      assert.equal(await notes(), [
        [["2026-05-01"], [null], "Ada"],
        [["2026-06-01", "2026-06-02"], ["wet", null], "Bo"],
      ]);
    });
  });
}
