import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { as, openWizards, portalRoutes, wizardFile } from "./mounts_support.ts";
import { requests, whereTo } from "./runs_app.ts";

const steps = `.step("company", { using: Firm, fields: ["name"] }, (f) => f.string("motto"))
  .step("owner", {}, (f) => f.string("title").string("street").password("pin"))
  .step("extra", {}, (f) => f.string("note").string("street"))
  .onSubmit("owner", async ({ data, persist, query, fail: stop }) => {
    const { title } = data.owner;
    if (title === "written") { await query(Post).insert({ title: "of onSubmit" } as never); fail({ title: ["is written"] }, "Not so"); }
    if (title === "text") stop("Only a text");
    if (title === "earlier") await persist("firm", Firm, { name: "x".repeat(20) });
  })
  .onRollback("extra", ({ data, fail: stop }) => { if (data.extra?.note === "bound") stop("It can't be undone"); })
  .review()`;
const body = `async execute() {
  const { note } = this.data.extra;
  await this.query(Post).insert({ title: "of execute" } as never);
  if (note === "forgotten") { fail({ title: ["can't be done"] }, "Not today"); await this.query(Post).insert({ title: "beyond" } as never); }
  if (note === "text") return fail("No luck");
  if (note === "silent") return fail({});
  if (note === "unclear") return fail({ street: ["is closed"] });
  if (note === "nowhere") return fail({ colour: ["is odd"] });
  if (note === "returned") return interactionFail({ motto: ["is long"] }) as never;
  await this.query(Firm).insert({ name: note === "long" ? "x".repeat(20) : this.data.company.name } as never);
  return succeed().withMessage("Well done"); }`;
const files = {
  "db/migrate/20260101000002_firms.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.createTable("firms", (t) => { t.id(); t.string("name").notNull().unique(); }); }
    export async function down(db: Schema) { await db.dropTable("firms"); }`,
  "app/models/firm.ts": `import { Model } from "framewright/plugins/database"; export default class Firm extends Model("firms") { static override validations = { name: { length: { maximum: 10 } } }; }`,
  "app/wizards/found_wizard.ts": wizardFile("FoundWizard", "concurrencyKey: (run) => run.currentUser", {
    steps,
    body,
    imports: `import { fail as interactionFail } from "framewright/plugins/resources"; import Firm from "#app/models/firm.ts"; import Post from "#app/models/post.ts";`,
  }),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(FoundWizard, { at: "found" });`,
    `import FoundWizard from "#app/wizards/found_wizard.ts";`,
  ),
};
const at = "/admin/found";

for (const database of await databases()) {
  describe(`A wizard that fails, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let { as: ask, send } = requests("");
    before(async () => {
      if (database.skip) return;
      app = await openWizards(files, await database.values());
      ({ as: ask, send } = requests(app.url));
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        const { knex } = databaseOf(app.application);
        for (const table of ["framewright_wizard_runs", "firms"]) await knex(table).delete();
        await knex("posts").where("id", ">", 3).delete();
        await story();
      });
    const table = (name: string) => databaseOf(app.application).knex(name);
    const written = () => table("posts").where("id", ">", 3).pluck("title");
    const problem = async (answer: Response) =>
      (await answer.json()) as { status: number; code: string; errors: Record<string, string[]> };

    /** Up to the review, by JSON. */
    const fill = async (note: string, name = "Acme") => {
      await ask(1, "GET", at);
      await send(1, `${at}/company`, { name, motto: "Ever on" });
      await send(1, `${at}/owner`, { title: "Dr", street: "Main", pin: "1234" });
      await send(1, `${at}/extra`, { note });
    };
    const submitted = async (client: Client, step: string, fields: Record<string, string> = {}) =>
      client.submit(`${at}/${step}`, fields, new RegExp(`action="${at}/${step}"`));

    can(
      "A call of fail ends execute at once as 422, with or without return, and nothing of execute is written",
      async () => {
        await fill("forgotten");
        const refused = await send(1, `${at}/review`);
        assert.is(refused.status, 422);
        assert.equal((await problem(refused)).errors, { title: ["can't be done"], base: ["Not today"] });
        assert.equal(await written(), []);
        for (const [note, errors] of [
          ["text", { base: ["No luck"] }],
          ["silent", { base: ["That could not be completed. Nothing was changed."] }],
          ["returned", { motto: ["is long"] }],
          ["nowhere", { colour: ["is odd"] }],
        ] as const) {
          await send(1, `${at}/extra`, { note });
          const answer = await send(1, `${at}/review`);
          assert.is(answer.status, 422);
          const said = (await problem(answer)).errors;
          if (note === "silent") assert.equal(Object.keys(said), ["base"]);
          else assert.equal(said, errors);
        }
        assert.equal(await written(), []);
        await send(1, `${at}/extra`, { note: "fine" });
        assert.is(whereTo(await send(1, `${at}/review`)), "303 /admin");
        assert.equal([await written(), await table("firms").pluck("name")], [["of execute"], ["Acme"]]);
      },
    );

    can("A call of fail ends onSubmit with the given errors and undoes what it wrote", async () => {
      await ask(1, "GET", at);
      await send(1, `${at}/company`, { name: "Acme" });
      const refused = await problem(await send(1, `${at}/owner`, { title: "written" }));
      assert.equal(refused.errors, { title: ["is written"], base: ["Not so"] });
      assert.equal((await problem(await send(1, `${at}/owner`, { title: "text" }))).errors, { base: ["Only a text"] });
      assert.equal(await written(), []);
    });

    can("An error of execute shows the step with the field, its message and all that was typed", async () => {
      await fill("long");
      const client = as(app.client(), 1);
      const refused = await submitted(client, "review");
      assert.is(refused.status, 422);
      const page = await refused.text();
      assert.match(page, `action="${at}/company"`);
      assert.match(
        page,
        /<input[^>]*value="Acme"[^>]*name="wizard\[name\]"[^>]*aria-invalid="true"|<input[^>]*aria-invalid="true"[^>]*name="wizard\[name\]"/,
      );
      assert.match(page, 'value="Acme"');
      assert.match(page, 'value="Ever on"');
      assert.match(page, "is too long (at most 10 characters)");
      assert.is(whereTo(await ask(1, "GET", at)), `303 ${at}/company`);
      for (const [step, fields] of [
        ["company", { "wizard[name]": "Acme" }],
        ["owner", {}],
        ["extra", { "wizard[note]": "fine" }],
      ] as const)
        assert.is((await submitted(client, step, fields)).status, 303, step);
      assert.is(whereTo(await submitted(client, "review")), "303 /admin");
      assert.equal(await table("firms").pluck("name"), ["Acme"]);
    });

    can("A unique violation that only the database finds is 422 in JSON under the name of its field", async () => {
      await fill("fine");
      await table("firms").insert({ name: "Acme" });
      const refused = await send(1, `${at}/review`);
      const { status, code, errors } = await problem(refused);
      assert.equal([status, code, Object.keys(errors)], [422, "FW_INVALID", ["name"]]);
      const [row] = await table("framewright_wizard_runs");
      assert.equal([row.state, row.cursor], ["in_progress", "company"]);
      assert.equal(await written(), []);
    });

    can("An error of execute stays at the last step where no step or more than one has the field", async () => {
      for (const note of ["unclear", "nowhere", "text"]) {
        await fill(note);
        const client = as(app.client(), 1);
        const page = await (await submitted(client, "review")).text();
        assert.match(page, `action="${at}/review"`);
        assert.match(page, note === "text" ? "No luck" : /street is closed|colour is odd/);
        assert.is(whereTo(await ask(1, "GET", at)), `303 ${at}/review`);
      }
    });

    can("A step that fails by an earlier step's answer keeps what was typed and shows the earlier step", async () => {
      await ask(1, "GET", at);
      await send(1, `${at}/company`, { name: "Acme" });
      const client = as(app.client(), 1);
      const refused = await submitted(client, "owner", { "wizard[title]": "earlier", "wizard[street]": "Side" });
      assert.is(refused.status, 422);
      const page = await refused.text();
      assert.match(page, `action="${at}/company"`);
      assert.match(page, "is too long (at most 10 characters)");
      const owner = await client.page(`${at}/owner`);
      assert.match(owner, 'value="earlier"');
      assert.match(owner, 'value="Side"');
    });

    can("A cancel that onRollback refuses is 422 with the reason, and the run stays open", async () => {
      await fill("bound");
      const refused = await send(1, `${at}/review`, {}, "cancel");
      assert.is(refused.status, 422);
      assert.equal((await problem(refused)).errors, { base: ["It can't be undone"] });
      const page = await submitted(as(app.client(), 1), "review", { _direction: "cancel" });
      assert.match(await page.text(), "It can&#39;t be undone");
      assert.is((await table("framewright_wizard_runs")).length, 1);
      await send(1, `${at}/extra`, { note: "free" });
      assert.is(whereTo(await send(1, `${at}/review`, {}, "cancel")), "303 /admin");
      assert.is((await table("framewright_wizard_runs")).length, 0);
    });
  });
}
