import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, portalRoutes, wizardFile } from "../wizards/mounts_support.ts";
import { asAnn, openPermits, permitFiles } from "./permits_app.ts";

// The same rows by each means that a person or a program has: what is read is the same, and so is what is refused.

const definition = "app/definitions/permit_definition.ts";
const fields = `{
  text: { as: "string", presence: true, length: { maximum: 20 } },
  kind: { as: "select", choices: ["work", "material"] },
  hours: { as: "integer", condition: ({ values }) => values.kind === "work", presence: true },
  amount: { as: "money", currency: "EUR" },
  parcel: { as: "association", model: Parcel },
}`;
const files = {
  "app/interactions/bill.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
    import Parcel from "#app/models/parcel.ts"; import type Permit from "#app/models/permit.ts";
    export default class Bill extends Interaction<Permit> {
      static override attributes = { lines: { as: "repeated", maximum: 3, fields: ${fields} } } as never;
      async execute() {
        await this.transaction("notes").insert({ text: JSON.stringify(this.values.lines), permit_id: 1 });
        return succeed(this.record);
      }
    }`,
  [definition]: edited(
    permitFiles,
    definition,
    ["super.configure();", 'super.configure(); this.action("bill", { interaction: Bill, policy: "update" });'],
    ["import type {} from", 'import Bill from "#app/interactions/bill.ts";\n  import type {} from'],
  ),
  "app/wizards/bill_wizard.ts": wizardFile("BillWizard", "", {
    steps: `.step("about", {}, (f) => f.repeated("lines", { maximum: 3 }, (g) =>
      g.string("text", { presence: true, length: { maximum: 20 } })
        .select("kind", ["work", "material"])
        .integer("hours", { presence: true, condition: ({ values }) => values.kind === "work" })
        .money("amount", { currency: "EUR" })
        .association("parcel", Parcel))).step("last", {}, (f) => f.string("note"))`,
    imports: 'import Parcel from "#app/models/parcel.ts";',
  }),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    'for (const model of [Permit, Parcel, Owner, Site]) routes.registerResource(model); routes.registerWizard(BillWizard, { at: "bill" });',
    `import BillWizard from "#app/wizards/bill_wizard.ts"; ${["Permit", "Parcel", "Owner", "Site"]
      .map((name) => `import ${name} from "#app/models/${name.toLowerCase()}.ts";`)
      .join(" ")}`,
  ),
};

type Row = Readonly<Record<string, unknown>>;
const good: Row = { text: "first", kind: "work", hours: 3, amount: "1234567.89", parcel: 1 };
/** What is wrong with the second row, and the field that is named. */
const wrong: readonly (readonly [what: string, row: Row, field: string])[] = [
  ["a text that is missing", { amount: "1.00" }, "text"],
  ["a text that is too long", { text: "a".repeat(21) }, "text"],
  ["a choice that is none", { text: "a", kind: "play" }, "kind"],
  ["what is no number", { text: "a", kind: "work", hours: "many" }, "hours"],
  ["a number that is missing where another field wants it", { text: "a", kind: "work" }, "hours"],
  ["an amount that is none", { text: "a", amount: "much" }, "amount"],
  ["an amount with more decimals than its currency has", { text: "a", amount: "1.005" }, "amount"],
  ["a record that is not there", { text: "a", parcel: 999 }, "parcel"],
];

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows by each means, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip === undefined) app = await openPermits(await database.values(), files);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const knex = () => databaseOf(app.application).knex;
    const inputs = (key: string, rows: readonly Row[]) =>
      Object.fromEntries(
        rows.flatMap((row, index) =>
          Object.entries(row).map(([name, value]) => [`${key}[lines][${index}][${name}]`, String(value)]),
        ),
      );
    /** The errors of a page's form: the ends of the addresses that its summary leads to. */
    const linked = (html: string, id: string) =>
      [...html.matchAll(new RegExp(`<a href="#${id}_lines-(\\d)-(\\w+)">`, "g"))].map(
        ([, at, name]) => `lines.${at}.${name}`,
      );
    interface Outcome {
      readonly status: number;
      readonly errors: readonly string[];
      /** What was written. */
      readonly lines: unknown;
    }
    type Means = (rows: readonly Row[]) => Promise<Outcome>;
    const ofPermit = async () => {
      const { lines } = await knex()("permits").where({ id: 2 }).first();
      return typeof lines === "string" ? JSON.parse(lines) : lines;
    };
    const ofNote = async () => {
      const [note] = await knex()("notes").orderBy("id", "desc").limit(1);
      return note === undefined ? null : JSON.parse(note.text);
    };
    const launch = async (client: ReturnType<typeof as>) => {
      const answer = await client.request("/admin/bill");
      return answer.headers.get("location")!;
    };
    const staged = async (path: string) => {
      const { body } = await asAnn(app).json(path.replace("/admin", ""));
      return body.data.values.lines ?? null;
    };
    const means: Readonly<Record<string, Means>> = {
      "the form of a record": async (rows) => {
        const answer = await as(app.client(), 1).submit("/admin/permits/2/edit", inputs("permit", rows));
        return { status: answer.status, errors: linked(await answer.text(), "permit"), lines: await ofPermit() };
      },
      "JSON of a record": async (lines) => {
        const { status, errors } = await asAnn(app).json("/permits/2.json", { permit: { lines } }, "PATCH");
        return { status, errors: Object.keys(errors ?? {}), lines: await ofPermit() };
      },
      "the form of an interaction": async (rows) => {
        const path = "/admin/permits/1/actions/bill";
        const answer = await as(app.client(), 1).submit(path, inputs("interaction", rows));
        return { status: answer.status, errors: linked(await answer.text(), "interaction"), lines: await ofNote() };
      },
      "JSON of an interaction": async (lines) => {
        const { status, errors } = await asAnn(app).json("/permits/1/actions/bill.json", { interaction: { lines } });
        return { status, errors: Object.keys(errors ?? {}), lines: await ofNote() };
      },
      "a step of a wizard": async (rows) => {
        const client = as(app.client(), 1);
        const path = await launch(client);
        const sent = { ...inputs("wizard", rows), _direction: "next" };
        const answer = await client.submit(path, sent, /action="[^"]*\/about"/);
        return { status: answer.status, errors: linked(await answer.text(), "wizard"), lines: await staged(path) };
      },
      "JSON of a wizard": async (lines) => {
        const path = await launch(as(app.client(), 1));
        const sent = { wizard: { lines }, _direction: "next" };
        const { status, errors } = await asAnn(app).json(path.replace("/admin", ""), sent);
        return { status, errors: Object.keys(errors ?? {}), lines: await staged(path) };
      },
    };

    for (const [name, send] of Object.entries(means)) {
      const can = (sentence: string, body: () => Promise<void>) =>
        it.unless(database.skip, sentence, async () => {
          await knex()("permits").where({ id: 2 }).update({ lines: null });
          await knex()("notes").delete();
          await knex()("framewright_wizard_runs").delete();
          await body();
        });
      can(`By ${name} they are written to the digit`, async () => {
        const { status, lines } = await send([good, { text: "second" }]);
        assert.ok(status < 400, String(status));
        const second = { text: "second", kind: null, hours: null, amount: null, parcel: null };
        assert.equal(lines, [good, second]);
      });
      for (const [what, row, field] of wrong)
        can(`By ${name}, ${what} is 422 and named by its row and field, and nothing is written`, async () => {
          const outcome = await send([good, row]);
          assert.equal([outcome.status, outcome.errors, outcome.lines], [422, [`lines.1.${field}`], null]);
        });
      can(`By ${name}, more than there may be are 422`, async () => {
        const { status, lines } = await send([good, good, good, good]);
        assert.equal([status, lines], [422, null]);
      });
    }
  });
}
