import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, portalRoutes, wizardFile } from "../wizards/mounts_support.ts";
import { whereTo } from "../wizards/runs_app.ts";
import { asAnn, openPermits, permitFiles } from "./permits_app.ts";

// Names and values (as: "key_value") in interactions, in steps of wizards, and within the rows of a json column.

const interaction = `import { Interaction, type InteractionAttributes, type InteractionValues, succeed } from "framewright/plugins/resources";
  import type {} from "framewright/plugins/nested_records";
  import type Permit from "#app/models/permit.ts";
  const attributes = {
    labels: { as: "key_value", required: true, maximum: 3, hint: ({ t }) => t("as_size") },
    settings: { as: "key_value", label: "Options", default: ({ record }) => record?.settings },
    stops: { as: "repeated", fields: { name: { as: "string", presence: true }, facts: { as: "key_value" } } },
  } as const satisfies InteractionAttributes<Permit>;
  export default class Label extends Interaction<Permit, InteractionValues<typeof attributes>> {
    static override attributes = attributes;
    async execute() {
      const sizes: string | undefined = this.values.labels.size;
      const facts = this.values.stops.map((stop) => stop.facts);
      const text = JSON.stringify([sizes ?? null, this.values.labels, this.values.settings, facts]);
      await this.transaction("notes").insert({ text, permit_id: this.record.$id() as number });
      return succeed(this.record).withMessage("Labelled");
    }
  }`;
const definition = "app/definitions/permit_definition.ts";
const steps = `.step("about", { label: "About" }, (f) => f.string("title", { presence: true }).field("labels", { as: "key_value", label: ({ t }) => t("labels_of"), presence: true }))
  .step("more", { label: "More" }, (f) => f.field("extra", { as: "key_value", default: { size: "L" }, condition: ({ data }) => data.about?.labels?.size !== "none" }).group("place", {}, (g) => g.field("facts", { as: "key_value" })))
  .review({ label: "Review" })`;
const files = {
  "config/locales/en.json": JSON.stringify({ labels_of: "Labels of it", as_size: "As size and L" }),
  "app/interactions/label.ts": interaction,
  [definition]: edited(
    permitFiles,
    definition,
    [
      "super.configure();",
      'super.configure(); this.action("label", { interaction: Label, policy: "update", bulk: true });',
    ],
    ["import type {} from", 'import Label from "#app/interactions/label.ts";\n  import type {} from'],
    ['text: { as: "string"', 'tags: { as: "key_value" }, text: { as: "string"'],
  ),
  "app/wizards/order_wizard.ts": wizardFile("OrderWizard", "concurrencyKey: (run) => run.currentUser", {
    steps,
    imports: 'import type {} from "framewright/plugins/nested_records";',
    body: "async execute() { return succeed().withMessage(JSON.stringify(this.data)); }",
  }),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerResource(Permit); routes.registerResource(Parcel); routes.registerResource(Owner); routes.registerResource(Site); routes.registerWizard(OrderWizard, { at: "order" });`,
    `import OrderWizard from "#app/wizards/order_wizard.ts"; import Permit from "#app/models/permit.ts"; import Parcel from "#app/models/parcel.ts"; import Owner from "#app/models/owner.ts"; import Site from "#app/models/site.ts";`,
  ),
};
const pair = (at: string, key: string, value: string) => ({ [`${at}[key]`]: key, [`${at}[value]`]: value });

for (const database of await databases({ withPostgres: true })) {
  describe(`Names and values in interactions and steps, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip === undefined) app = await openPermits(await database.values(), files);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = () => databaseOf(app.application).knex;
    const notes = async () => {
      const found = await knex()("notes").orderBy("id");
      await knex()("notes").delete();
      return found.map(({ text, permit_id }) => [Number(permit_id), JSON.parse(String(text))]);
    };
    const path = "/admin/permits/1/actions/label";
    const send = (interaction: object, to = `${path.slice(6)}.json`) => asAnn(app).json(to, interaction);

    can("The form of an interaction has them as rows, filled with the default, and adds and removes rows", async () => {
      const client = as(app.client(), 1);
      const page = await client.page(path);
      assert.match(page, /<legend\s+class="form-label">Options<\/legend>/);
      assert.match(page, 'name="_add" value="labels"');
      assert.match(page, "As size and L");
      assert.match(page, /value="colour"[^>]* name="interaction\[settings\]\[0\]\[key\]"/);
      assert.match(page, /value="red"[^>]* name="interaction\[settings\]\[0\]\[value\]"/);
      const more = await client.submit(path, { _add: "labels" });
      const added = await more.text();
      assert.is(more.status, 422);
      assert.match(added, 'name="interaction[labels][0][key]"');
      const taken = await client.submit(path, { _remove: "settings.0" });
      assert.not.match(await taken.text(), 'name="interaction[settings][0][key]"');
    });
    can("What was typed is shown again beside what is wrong, at its cell, and nothing is done", async () => {
      const client = as(app.client(), 1);
      const answer = await client.submit(path, {
        ...pair("interaction[labels][0]", "size", "L"),
        ...pair("interaction[labels][1]", "size", "M"),
        ...pair("interaction[labels][2]", "", "nameless"),
      });
      const html = await answer.text();
      assert.is(answer.status, 422);
      assert.match(html, /<a href="#interaction_labels-1-key">Label 2, Key[^<]*is there twice/);
      assert.match(html, /<a href="#interaction_labels-2-key">Label 3, Key/);
      assert.match(html, /value="nameless"[^>]* name="interaction\[labels\]\[2\]\[value\]"/);
      const none = await client.submit(path, {});
      assert.match(await none.text(), '<a href="#interaction_labels">Labels');
      assert.equal(await notes(), []);
    });
    can("JSON has an object or a list of rows, and what is wrong is named by its path", async () => {
      const labels = { size: "L" };
      const wrong: [object, string[]][] = [
        [{ labels: { size: { deep: 1 } } }, ["labels.0.value"]],
        [
          {
            labels: [
              { key: "a", value: "1" },
              { key: "a", value: "2" },
            ],
          },
          ["labels.1.key"],
        ],
        [{ labels: [{ value: "1" }] }, ["labels.0.key"]],
        [{ labels: { a: "1", b: "2", c: "3", d: "4" } }, ["labels"]],
        [{ labels: {} }, ["labels"]],
        [{ labels: 5 }, ["labels"]],
        [{ labels: "size" }, ["labels"]],
        [{ labels: { ["n".repeat(256)]: "x" } }, ["labels.0.key"]],
        [{ labels, stops: [{ name: "A" }, { name: "B", facts: [{ value: "x" }] }] }, ["stops.1.facts.0.key"]],
      ];
      for (const [interaction, paths] of wrong) {
        const { status, errors } = await send({ interaction });
        assert.equal([status, Object.keys(errors ?? {})], [422, paths], JSON.stringify(interaction));
      }
      assert.equal(await notes(), []);
    });
    can("execute has plain objects, from a form, from JSON and for each of several records", async () => {
      const client = as(app.client(), 1);
      const sent = await client.submit(path, pair("interaction[labels][0]", "size", "L"));
      assert.is(sent.status, 303, await sent.text());
      const interaction = { labels: { size: "M", 7: "x" }, settings: {}, stops: [{ name: "A", facts: { b: "c" } }] };
      assert.is((await send({ interaction })).status, 200);
      const bulk = { ids: [1, 2], interaction: { labels: [{ key: "size", value: "S" }], stops: [{ name: "B" }] } };
      assert.is((await send(bulk, "/permits/bulk/label")).status, 200);
      const colour = { colour: "red" };
      assert.equal(await notes(), [
        [1, ["L", { size: "L" }, colour, []]],
        [1, ["M", { 7: "x", size: "M" }, {}, [{ b: "c" }]]],
        [1, ["S", { size: "S" }, {}, [{}]]],
        [2, ["S", { size: "S" }, {}, [{}]]],
      ]);
    });
    can("Rows of a json column may have them, which it has as objects", async () => {
      const tagged = (tags: unknown) => ({ permit: { lines: [{ text: "dig", tags }] } });
      const wrong = await asAnn(app).json("/permits/2.json", tagged([{ key: "a" }, { key: "a" }]), "PATCH");
      assert.equal([wrong.status, Object.keys(wrong.errors)], [422, ["lines.0.tags.1.key"]]);
      assert.is((await asAnn(app).json("/permits/2.json", tagged({ depth: "2", 3: "m" }), "PATCH")).status, 200);
      const { body } = await asAnn(app).json("/permits/2.json");
      assert.equal(body.data.lines[0].tags, { 3: "m", depth: "2" });
      assert.match(await asAnn(app).page("/permits/2"), /<td>depth<\/td><td>2<\/td>/);
      const client = as(app.client(), 1);
      const saved = await client.submit("/admin/permits/2/edit", { "permit[lines][0][tags][1][value]": "3" });
      assert.is(saved.status, 303);
      const again = await asAnn(app).json("/permits/2.json");
      assert.equal(again.body.data.lines[0].tags, { 3: "m", depth: "3" });
    });

    const step = (name: string) => `/admin/order/${name}`;
    const go = (client: ReturnType<typeof as>, name: string, fields: Record<string, string>, direction = "next") =>
      client.submit(step(name), { ...fields, _direction: direction }, new RegExp(`action="[^"]*/${name}"`));

    can("A step keeps them, a review shows them, and a resumed run is filled with them", async () => {
      const client = as(app.client(), 1);
      await client.request("/admin/order");
      const page = await client.page(step("about"));
      assert.match(page, /<legend\s+class="form-label">Labels of it<\/legend>/);
      assert.match(page, />Key</);
      const more = await go(client, "about", { _add: "labels", "wizard[title]": "Door" });
      assert.match(await more.text(), 'name="wizard[labels][0][key]"');
      const wrong = await go(client, "about", {
        "wizard[title]": "Door",
        ...pair("wizard[labels][0]", "size", "L"),
        ...pair("wizard[labels][1]", "size", "M"),
      });
      const html = await wrong.text();
      assert.is(wrong.status, 422);
      assert.match(html, /<a href="#wizard_labels-1-key">[^<]*is there twice/);
      assert.match(html, /value="M"[^>]* name="wizard\[labels\]\[1\]\[value\]"/);
      const blank = { ...pair("wizard[labels][0]", "", ""), ...pair("wizard[labels][1]", "", "") };
      const empty = await go(client, "about", { "wizard[title]": "Door", ...blank });
      assert.match(await empty.text(), '<a href="#wizard_labels">Labels of it');
      const typed = { "wizard[title]": "Door", ...pair("wizard[labels][0]", "size", "L") };
      assert.is(whereTo(await go(client, "about", typed)), `303 ${step("more")}`);

      const later = client.copy();
      const resumed = as(later, 1);
      assert.match(await resumed.page(step("about")), /value="size"[^>]* name="wizard\[labels\]\[0\]\[key\]"/);
      const begun = await resumed.page(step("more"));
      assert.match(begun, /value="size"[^>]* name="wizard\[extra\]\[0\]\[key\]"/);
      const facts = pair("wizard[place][facts][0]", "floor", "3");
      assert.is(whereTo(await go(resumed, "more", facts)), `303 ${step("review")}`);
      const review = await resumed.page(step("review"));
      assert.match(review, /Labels of it.*?<dt>size<\/dt><dd>L<\/dd>/s);
      assert.match(review, /<dt>floor<\/dt><dd>3<\/dd>/);
      const { body } = await asAnn(app).json("/order/about");
      assert.equal((body as { data: { values: unknown } }).data.values, { title: "Door", labels: { size: "L" } });
      const done = await go(resumed, "review", {});
      assert.is(done.status, 303, await done.text());
      const end = await resumed.page(done.headers.get("location")!);
      const data = {
        about: { title: "Door", labels: { size: "L" } },
        more: { extra: { size: "L" }, place: { facts: { floor: "3" } } },
      };
      assert.match(end, JSON.stringify(data).replaceAll('"', "&quot;"));
    });
    can("A step takes an object of JSON, keeps a draft of it, and names what is wrong by its path", async () => {
      const ann = asAnn(app, "2");
      const open = await ann.request("/order", { headers: { accept: "application/json" }, redirect: "manual" });
      const url = open.headers.get("location")!.replace("/admin", "");
      const post = (wizard: object) => ann.json(url, { wizard, _direction: "next" });
      const wrong = await post({ title: "Gate", labels: { size: { deep: 1 } } });
      assert.equal([wrong.status, Object.keys(wrong.errors)], [422, ["labels.0.value"]]);
      assert.is((await post({ title: "Gate", labels: { size: "none" } })).status, 303);
      const more = url.replace("about", "more");
      const kept = await ann.json(more, { wizard: { place: { facts: { a: "b" } } }, _direction: "back" });
      assert.is(kept.status, 303);
      const { body } = await ann.json(more);
      assert.equal(body.data.draft.place, { facts: { a: "b" } });
    });
  });
}
