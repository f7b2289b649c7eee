import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, bootWith, openWizards, portalRoutes, wizardFile, wizardFiles } from "../wizards/mounts_support.ts";

const definition = (columns = '{ from: "starts_on", to: "ends_on" }', kind = "period") => `
    import { ResourceDefinition } from "framewright/plugins/resources";
    import type {} from "framewright/plugins/extra_fields";
    import type Post from "#app/models/post.ts";
    import Echo from "#app/interactions/echo.ts";
    export default class PostDefinition extends ResourceDefinition<Post> {
      override configure() {
        super.configure();
        this.combined("stay", { as: "${kind}" as never, columns: ${columns} as never, hint: "Days of the stay" });
        this.combined("home", { as: "address", columns: { street: "street", postcode: "zip", city: "city", country: "land" } as never });
        this.combined("fee", { as: "amount", columns: { amount: "fee_amount", currency: "fee_currency" } as never });
        this.column("fee" as never);
        this.field("plan" as never, { as: "period" });
        this.column("stay" as never); this.column("home" as never);
        this.action("echo", { interaction: Echo });
      }
    }`;
const files: Record<string, string> = {
  "plugins.config.ts": withPlugin(
    edited(wizardFiles, "plugins.config.ts", ["i18n()", 'i18n({ locales: ["en", "de"] })']),
    "extraFields()",
    "extra_fields",
  ),
  "app/policies/post_policy.ts": edited(
    wizardFiles,
    "app/policies/post_policy.ts",
    [/return \["title"\];/g, 'return ["title", "stay", "home", "plan", "fee"] as never;'],
    ["canConfigure()", "canExport() { return true; }\n  canEcho() { return true; }\n  canConfigure()"],
  ),
  "app/models/post.ts": `import { hasMany, Model } from "framewright/plugins/database";
    export default class Post extends Model("posts") {
      static override associations = { comments: hasMany() };
      static override validations = { city: { length: { maximum: 12 } } };
    }`,
  "app/definitions/post_definition.ts": definition(),
  "app/interactions/echo.ts": `
    import { Interaction, type InteractionAttributes, type InteractionValues, succeed } from "framewright/plugins/resources";
    const attributes = { stay: { as: "period", required: true }, home: { as: "address" } } as const satisfies InteractionAttributes;
    export default class Echo extends Interaction<never, InteractionValues<typeof attributes>> {
      static override attributes = attributes;
      async execute() { return succeed().withMessage(JSON.stringify(this.values)); }
    }`,
  "app/wizards/kinds_wizard.ts": wizardFile("KindsWizard", "", {
    steps: `.step("kinds", {}, (f) => f.field("stay", { as: "period", presence: true }).field("home", { as: "address" }).string("name", { presence: true })).review()`,
    body: "async execute() { return succeed().withMessage(JSON.stringify(this.data)); }",
  }),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    'routes.registerWizard(KindsWizard, { at: "kinds" });',
    'import KindsWizard from "#app/wizards/kinds_wizard.ts";',
  ),
  "db/migrate/20260101000002_add_parts.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.addColumns("posts", (t) => {
        t.date("starts_on"); t.date("ends_on"); t.json("plan");
        t.string("street"); t.string("zip", 10); t.string("city"); t.string("land", 2);
        t.decimal("fee_amount", 19, 4); t.string("fee_currency", 3).default("CHF");
      });
    }
    export async function down(): Promise<void> {}`,
};
const stay = { from: "2026-07-01", to: "2026-07-05" };
const home = { street: "Am Markt 1", postcode: "01234", city: "Neustadt", country: "DE" };
const typedAs = (key: string) => ({
  [`${key}[stay][from]`]: stay.from,
  [`${key}[stay][to]`]: stay.to,
  [`${key}[home][street]`]: home.street,
  [`${key}[home][postcode]`]: ` ${home.postcode} `,
  [`${key}[home][city]`]: home.city,
  [`${key}[home][country]`]: home.country,
});

for (const database of await databases({ withPostgres: true })) {
  describe(`Several columns in one field, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const row = async (id = 1) => databaseOf(app.application).model("Post").class.query().findById(id);
    if (database.skip === undefined) {
      before(async () => {
        app = await openWizards(files, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const page = async (path: string, locale = "en") =>
      (await app.request(`/admin${path}`, { headers: { "x-user": "1", "accept-language": locale } })).text();
    const send = async (post: object, id = 1) => {
      const headers = { accept: "application/json", "content-type": "application/json", "x-user": "1" };
      const body = JSON.stringify({ post });
      const answer = await app.request(`/admin/posts/${id}.json`, { method: "PATCH", headers, body });
      return { status: answer.status, body: (await answer.json()) as { data: Record<string, unknown>; errors: never } };
    };

    can("A form stores each part in its column, and shows them again", async () => {
      const ann = as(app.client(), 1);
      const answer = await ann.submit("/admin/posts/1/edit", typedAs("post"));
      assert.is(answer.status, 303, await answer.clone().text());
      const stored = await row();
      const parts = ["starts_on", "ends_on", "street", "zip", "city", "land"].map((name) => Reflect.get(stored!, name));
      assert.equal(parts, [stay.from, stay.to, home.street, home.postcode, home.city, home.country]);
      const form = await page("/posts/1/edit");
      assert.match(form, /name="post\[stay\]\[from\]"/);
      assert.match(form, 'value="2026-07-05"');
      assert.match(form, 'value="01234"');
      assert.match(form, '<option value="DE" selected>');
      assert.match(form, "Days of the stay");
      assert.match(await page("/posts/1/edit", "de"), ">Postleitzahl<");
    });
    can("Lists, pages, JSON and exports have it as one value, which is taken back", async () => {
      for (const path of ["/posts", "/posts/1"]) {
        const text = await page(path);
        assert.match(text, /2026-07-01.*– .*2026-07-05/s);
        assert.match(text, /Am Markt 1.*01234 Neustadt.*Germany/s);
      }
      const { body } = await send({ title: "Hello" });
      assert.equal([body.data.stay, body.data.home], [stay, home]);
      const again = await send({ stay: body.data.stay, home: body.data.home });
      assert.equal([again.body.data.stay, again.body.data.home], [stay, home]);
      assert.match(await page("/posts/export.csv?sort=id"), /""from"":""2026-07-01""/);
      const open = await send({ stay: { from: "2026-07-01", to: null } });
      assert.equal(open.body.data.stay, { from: "2026-07-01", to: null });
      const empty = await send({ stay: null, home: { street: "", city: null } });
      assert.equal([empty.body.data.stay, empty.body.data.home], [null, null]);
      assert.is(Reflect.get((await row())!, "starts_on"), null);
    });
    can("What is wrong is said at the field or at its part, and what was typed stays", async () => {
      const ann = as(app.client(), 1);
      const typed = { ...typedAs("post"), "post[stay][to]": "2026-06-30" };
      const backwards = await ann.submit("/admin/posts/1/edit", typed);
      assert.is(backwards.status, 422);
      const text = await backwards.text();
      assert.match(text, "ends before it begins");
      assert.match(text, 'value="2026-06-30"');
      assert.match(text, 'value="Am Markt 1"');
      const long = await ann.submit("/admin/posts/1/edit", {
        ...typedAs("post"),
        "post[home][city]": "A city of much more",
      });
      assert.is(long.status, 422);
      const shown = await long.text();
      assert.match(shown, /id="post_home_city_errors">is too long/);
      assert.match(shown, /<a href="#post_home_city">City is too long/);
      for (const wrong of [
        { stay: { from: "soon" } },
        { stay: "x" },
        { stay: [1] },
        { home: { country: "XX" } },
        { home: { city: { a: 1 } } },
      ]) {
        const refused = await send(wrong);
        assert.equal(
          [refused.status, Object.keys(refused.body.errors)],
          [422, Object.keys(wrong)],
          JSON.stringify(wrong),
        );
      }
      assert.is((await send({ home: { ...home, __proto__x: "1", constructor: "x" } })).status, 200);
    });
    can("An amount has the decimals of its currency, to the digit, and is shown in the person's language", async () => {
      for (const [amount, currency, stored] of [
        ["12.5", "EUR", "12.50"],
        ["7", "JPY", "7"],
        ["7.000", "JPY", "7"],
        ["1.5", "KWD", "1.500"],
        ["0.0001", "CLF", "0.0001"],
        ["-99999999999.99", "USD", "-99999999999.99"],
        ["1234567.1000", "eur", "1234567.10"],
      ] as const) {
        const { status, body } = await send({ fee: { amount, currency } });
        assert.equal(
          [status, body.data.fee],
          [200, { amount: stored, currency: currency.toUpperCase() }],
          `${amount} ${currency}`,
        );
        assert.equal((await send({ fee: body.data.fee })).body.data.fee, body.data.fee);
      }
      for (const [fee, text] of [
        [{ amount: "7.5", currency: "JPY" }, "has more decimals than JPY has (0)"],
        [{ amount: "1.234", currency: "EUR" }, "has more decimals than EUR has (2)"],
        [{ amount: "1", currency: "" }, "has no currency"],
        [{ amount: "1", currency: "XXX" }, "not one of the choices"],
        [{ amount: "1e3", currency: "EUR" }, "number"],
      ] as const) {
        const refused = await send({ fee });
        assert.is(refused.status, 422);
        assert.match(JSON.stringify(refused.body.errors), text, JSON.stringify(refused.body.errors));
      }
      assert.match(await page("/posts/1"), "€1,234,567.10");
      assert.match(await page("/posts", "de"), "1.234.567,10\u00a0€");
      const form = await page("/posts/1/edit", "de");
      assert.match(form, 'value="1234567,10"');
      const fresh = await page("/posts/new");
      assert.match(fresh, '<option value="CHF" selected>');
      const german = as(app.client(), 1);
      const request = german.request.bind(german);
      german.request = (path, init = {}) => {
        const headers = new Headers(init.headers);
        headers.set("accept-language", "de");
        return request(path, { ...init, headers });
      };
      const typed = { "post[fee][amount]": "1234,5", "post[fee][currency]": "EUR" };
      assert.is((await german.submit("/admin/posts/1/edit", typed)).status, 303);
      assert.equal((await send({ title: "Hello" })).body.data.fee, { amount: "1234.50", currency: "EUR" });
      assert.equal((await send({ fee: null })).body.data.fee, null);
    });
    can("The same types are fields of a column of JSON, of interactions and of steps", async () => {
      assert.equal((await send({ plan: stay })).body.data.plan, stay);
      assert.equal((await send({ plan: null })).body.data.plan, null);
      const ann = as(app.client(), 1);
      const empty = await ann.submit("/admin/posts/1/actions/echo", {});
      assert.is(empty.status, 422);
      const kept = await ann.submit("/admin/posts/1/actions/echo", { "interaction[home][city]": "Neustadt" });
      assert.match(await kept.text(), 'value="Neustadt"');
      await ann.submit("/admin/posts/1/actions/echo", typedAs("interaction"));
      const said = (await ann.page("/admin/posts/1")).replaceAll("&quot;", '"');
      assert.match(said, JSON.stringify({ stay, home }));
      const step = (await ann.request("/admin/kinds")).headers.get("location")!;
      const without = await ann.submit(step, typedAs("wizard"));
      assert.is(without.status, 422);
      assert.match(await ann.page(step), 'value="2026-07-05"'); // the draft
      const next = await ann.submit(step, { ...typedAs("wizard"), "wizard[name]": "Bea" });
      assert.is(next.status, 303);
      assert.match(await ann.page(next.headers.get("location")!), /2026-07-01.*Neustadt.*Germany/s);
    });
  });
}

describe("Combined columns that can't be", (it) => {
  const boot = (text: string) => bootWith({ ...files, "app/definitions/post_definition.ts": text });
  it("Kinds, parts and columns that there are not are refused at boot", async () => {
    const codes = [definition('{ from: "starts_on" }'), definition(undefined, "span")];
    for (const text of codes) {
      const error = await throwsCode("FW_COMBINED", () => boot(text));
      assert.match(error.message, 'PostDefinition combines columns as "stay" with');
    }
  });
});
