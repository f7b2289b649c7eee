import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { as, openWizards, portalRoutes, wizardFile } from "./mounts_support.ts";
import { requests, whereTo } from "./runs_app.ts";

// Whoever changes an answer from the review returns there by one button, past the steps in between.

const steps = `.step("kind", { label: "Kind" }, (f) => f.select("plan", ["free", "paid"]))
  .step("company", { label: "Company" }, (f) => f.string("name", { presence: true }))
  .step("billing", { label: "Billing", condition: ({ data }) => data.kind?.plan === "paid" }, (f) => f.string("vat", { presence: true }))
  .step("post", { label: "Post" }, (f) => f.string("title", { presence: true }))
  .step("place", { label: "Place" }, (f) => f.string("city"))
  .onSubmit("post", ({ data, persist }) => persist("post", Post, { title: data.company?.name + ": " + data.post.title }))
  .review({ label: "Review" })`;
const files = {
  "app/wizards/set_up_wizard.ts": wizardFile("SetUpWizard", "concurrencyKey: (run) => run.currentUser", {
    steps,
    imports: `import Post from "#app/models/post.ts";`,
  }),
  "app/wizards/short_wizard.ts": wizardFile("ShortWizard", "concurrencyKey: (run) => run.currentUser"),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(SetUpWizard, { at: "setup" }); routes.registerWizard(ShortWizard, { at: "short" });`,
    `import SetUpWizard from "#app/wizards/set_up_wizard.ts"; import ShortWizard from "#app/wizards/short_wizard.ts";`,
  ),
};
const at = (step: string) => new RegExp(`action="[^"]*/${step}"`);
const button = 'name="_direction" value="review">Save and review</button>';
const company = { "wizard[name]": "Acme" };

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Saving a step and returning to the review, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (!database.skip) app = await openWizards(files, await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, story: (client: Client) => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await databaseOf(app.application).knex("framewright_wizard_runs").delete();
        const client = as(app.client(), 1);
        await client.request("/admin/setup");
        await story(client);
      });
    const send = async (client: Client, step: string, fields: Record<string, string>, direction = "next") =>
      whereTo(await client.submit(`/admin/setup/${step}`, { ...fields, _direction: direction }, at(step)));
    const goToReview = async (client: Client) => {
      await send(client, "kind", { "wizard[plan]": "free" });
      await send(client, "company", company);
      await send(client, "post", { "wizard[title]": "Hello" });
      assert.is(await send(client, "place", { "wizard[city]": "Bern" }), "303 /admin/setup/review");
    };

    can("The button is on the steps once the review was seen, and not on the review", async (client) => {
      for (const step of ["kind", "post", "place"]) assert.not.match(await client.page(`/admin/setup/${step}`), button);
      await goToReview(client);
      assert.not.match(await client.page("/admin/setup/review"), button);
      for (const step of ["kind", "post", "place"])
        assert.match(await client.page(`/admin/setup/${step}`), button, step);
      await send(client, "place", {}, "back");
      assert.match(await client.page("/admin/setup/post"), button);
    });

    can("A valid step is saved and leads to the review; Continue leads to the next step", async (client) => {
      await goToReview(client);
      const city = { "wizard[city]": "Basel" };
      assert.is(await send(client, "place", city, "review"), "303 /admin/setup/review");
      assert.match(await client.page("/admin/setup/review"), "Basel");
      assert.is(await send(client, "post", { "wizard[title]": "Bye" }, "review"), "303 /admin/setup/review");
      assert.match(await client.page("/admin/setup/review"), "Bye");
      assert.is(await send(client, "post", { "wizard[title]": "Bye" }), "303 /admin/setup/place");
      assert.is(await send(client, "place", city, "review"), "303 /admin/setup/review");
      assert.match(await send(client, "review", {}), /^303 \/admin/);
    });

    can("An invalid step is shown again, with the button and what was typed", async (client) => {
      await goToReview(client);
      const answer = await client.submit(
        "/admin/setup/post",
        { "wizard[title]": "", _direction: "review" },
        at("post"),
      );
      assert.is(answer.status, 422);
      const page = await answer.text();
      assert.match(page, 'href="#wizard_title"');
      assert.match(page, button);
    });

    can("It leads to a step that the answer makes visible, and from there to the review", async (client) => {
      await goToReview(client);
      assert.is(await send(client, "kind", { "wizard[plan]": "paid" }, "review"), "303 /admin/setup/billing");
      const page = await client.page("/admin/setup/billing");
      assert.match(page, "Complete “Billing” to return to the review.");
      assert.match(page, button);
      assert.is(await send(client, "billing", { "wizard[vat]": "CH-1" }, "review"), "303 /admin/setup/review");
      assert.match(await client.page("/admin/setup/review"), "CH-1");
      assert.is(await send(client, "kind", { "wizard[plan]": "free" }, "review"), "303 /admin/setup/review");
      assert.not.match(await client.page("/admin/setup/review"), "CH-1");
    });

    can("A later step that has to be submitted again comes first, then those after it in order", async (client) => {
      await goToReview(client);
      const renamed = await send(client, "company", { "wizard[name]": "Zeta" }, "review");
      assert.is(renamed, "303 /admin/setup/post");
      assert.match(await client.page("/admin/setup/post"), "Complete “Post” to return to the review.");
      assert.is(whereTo(await client.request("/admin/setup/review")), "303 /admin/setup/post");
      assert.is(await send(client, "post", { "wizard[title]": "Hello" }), "303 /admin/setup/place");
      assert.is(await send(client, "place", {}), "303 /admin/setup/review");
      const { knex } = databaseOf(app.application);
      assert.is((await knex("posts").where({ title: "Zeta: Hello" })).length, 1);
    });

    can("It leads to a step whose stored answer is not valid any more", async (client) => {
      await goToReview(client);
      const { knex } = databaseOf(app.application);
      const run = (await knex("framewright_wizard_runs").first()) as { data: string };
      const data = { ...JSON.parse(run.data), post: { title: "" } };
      await knex("framewright_wizard_runs").update({ data: JSON.stringify(data) });
      assert.is(await send(client, "place", {}, "review"), "303 /admin/setup/post");
    });

    can("Sent to the review, by a script, it shows the review and completes nothing", async (client) => {
      await goToReview(client);
      assert.is(await send(client, "review", {}, "review"), "303 /admin/setup/review");
      const [run] = await databaseOf(app.application).knex("framewright_wizard_runs");
      assert.is(run.state, "in_progress");
    });

    can(
      "JSON may send it before the review was seen, and gets to the next step; without a review it is 422",
      async () => {
        const { as: by, send: post } = requests(app.url);
        await by(2, "GET", "/admin/setup");
        const first = await post(2, "/admin/setup/kind", { plan: "free" }, "review");
        assert.is(whereTo(first), "303 /admin/setup/company");
        assert.is(whereTo(await by(2, "GET", "/admin/setup/review")), "303 /admin/setup/company");
        await by(2, "GET", "/admin/short");
        const refused = await post(2, "/admin/short/first", { title: "x" }, "review");
        assert.is(refused.status, 422);
        assert.match(await refused.text(), "_direction");
      },
    );
  });
}
