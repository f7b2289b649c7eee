import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { as, openWizards, portalRoutes, wizardFile, wizardFiles } from "../wizards/mounts_support.ts";

const kinds = [
  "percentage",
  "duration",
  "rating",
  "country",
  "language",
  "tags",
  "phone",
  "range",
  "checkboxes",
] as const;
const more: Readonly<Record<string, string>> = {
  range: ", range: { from: 10, to: 90, step: 5 }",
  checkboxes: ', choices: ["white", { value: "red", label: "Red wine" }, "blue"]',
};
const optionsOf = (kind: string) => `{ as: "${kind}"${more[kind] ?? ""} }`;
const names = [...kinds.map((kind) => `a_${kind}`)];

const files: Record<string, string> = {
  "plugins.config.ts": edited(
    wizardFiles,
    "plugins.config.ts",
    ["i18n()", 'i18n({ locales: ["en", "de"] })'],
    ["resources(),", 'resources(), extraFields({ region: "DE" }),'],
    ["export default", 'import { extraFields } from "framewright/plugins/extra_fields";\nexport default'],
  ),
  "app/policies/post_policy.ts": edited(
    wizardFiles,
    "app/policies/post_policy.ts",
    [/return \["title"\];/g, `return ${JSON.stringify(["title", ...names])} as never;`],
    ["canConfigure()", "canExport() { return true; }\n  canEcho() { return true; }\n  canConfigure()"],
  ),
  "app/definitions/post_definition.ts": `
    import { ResourceDefinition } from "framewright/plugins/resources";
    import type Post from "#app/models/post.ts";
    import Echo from "#app/interactions/echo.ts";
    export default class PostDefinition extends ResourceDefinition<Post> {
      override configure() {
        super.configure();
        ${kinds.map((kind) => `this.field("a_${kind}" as never, ${optionsOf(kind)});`).join("\n        ")}
        this.filter("a_country" as never);
        ${kinds.map((kind) => `this.column("a_${kind}" as never);`).join(" ")}
        this.action("echo", { interaction: Echo });
      }
    }`,
  "app/interactions/echo.ts": `
    import { Interaction, type InteractionAttributes, type InteractionValues, succeed } from "framewright/plugins/resources";
    const attributes = { ${kinds.map((kind) => `a_${kind}: ${optionsOf(kind)}`).join(", ")} } as const satisfies InteractionAttributes;
    export default class Echo extends Interaction<never, InteractionValues<typeof attributes>> {
      static override attributes = attributes;
      async execute() { return succeed().withMessage(JSON.stringify(this.values)); }
    }`,
  "app/wizards/kinds_wizard.ts": wizardFile("KindsWizard", "", {
    steps: `.step("kinds", {}, (f) => f${kinds.map((kind) => `.field("a_${kind}", ${optionsOf(kind)})`).join("")}).review()`,
    body: "async execute() { return succeed().withMessage(JSON.stringify(this.data)); }",
  }),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    'routes.registerWizard(KindsWizard, { at: "kinds" });',
    'import KindsWizard from "#app/wizards/kinds_wizard.ts";',
  ),
  "db/migrate/20260101000002_add_kinds.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.addColumns("posts", (t) => {
        t.decimal("a_percentage", 7, 3); t.integer("a_duration"); t.integer("a_rating");
        t.string("a_country", 2); t.string("a_language", 8); t.json("a_tags"); t.string("a_phone", 16);
        t.integer("a_range"); t.json("a_checkboxes");
      });
    }
    export async function down(): Promise<void> {}`,
};

/** What is typed, what JSON has of it, and what a list shows. */
const values: Record<(typeof kinds)[number], readonly [typed: string, json: unknown, shown: RegExp | string]> = {
  percentage: ["12.5", "12.500", />12\.5\u00a0%/],
  duration: ["1:30", "PT1H30M", "1:30\u00a0h"],
  rating: ["4", 4, "★★★★☆"],
  country: ["de", "DE", "Germany"],
  language: ["DE", "de", "German"],
  phone: ["030 12345678", "+493012345678", '<a href="tel:+493012345678">+49 30 12345678</a>'],
  range: ["45", 45, ">45<"],
  checkboxes: ['["red"]', ["red"], '<span class="fw-tag">red</span>'],
  tags: ["red, blue,red", ["red", "blue"], '<span class="fw-tag">blue</span>'],
};
const wrong: Record<(typeof kinds)[number], string> = {
  percentage: "much",
  duration: "90",
  rating: "6",
  country: "XX",
  language: "zz",
  phone: "030 1",
  range: "44",
  checkboxes: "green",
  tags: "x".repeat(61),
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Percentages, durations, ratings, countries, languages and tags, on ${database.name}`, (it, {
    before,
    after,
  }) => {
    let app: TestApp;
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
    const send = async (path: string, body: object, method = "PATCH") => {
      const headers = { accept: "application/json", "content-type": "application/json", "x-user": "1" };
      const answer = await app.request(`/admin${path}`, { method, headers, body: JSON.stringify(body) });
      return { status: answer.status, body: (await answer.json()) as { data: Record<string, unknown>; errors: never } };
    };
    const typed = (key: string, given: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(kinds.map((kind) => [`${key}[a_${kind}]`, String(given[kind])]));
    const texts = Object.fromEntries(kinds.map((kind) => [kind, values[kind][0]]));

    can("A form stores what was typed, and shows it again as it is entered", async () => {
      const client = as(app.client(), 1);
      assert.is((await client.submit("/admin/posts/1/edit", typed("post", texts))).status, 303);
      const form = await page("/posts/1/edit");
      assert.match(form, /name="post\[a_duration\]"[^>]*|value="1:30"/);
      assert.match(form, 'value="1:30"');
      assert.match(form, '<option value="DE" selected>Germany</option>');
      assert.match(form, 'value="red, blue"');
      assert.match(form, /type="radio"[^>]*value="4" checked/);
      assert.is((await client.submit("/admin/posts/1/edit", {})).status, 303);
    });
    can("Lists, pages and JSON have it, in the person's language", async () => {
      const list = await page("/posts");
      for (const kind of kinds) assert.match(list, values[kind][2], kind);
      const { body } = await send("/posts/1.json", { post: { title: "Hello" } });
      for (const kind of kinds) {
        const json = body.data[`a_${kind}`];
        if (kind === "percentage") assert.is(Number(json), 12.5);
        else assert.equal(json, values[kind][1], kind);
      }
      assert.match(await page("/posts/1", "de"), "Deutschland");
    });
    can("What JSON has is taken back, and an empty value empties it", async () => {
      const { body } = await send("/posts/1.json", { post: { title: "Hello" } });
      const again = Object.fromEntries(names.map((name) => [name, body.data[name]]));
      assert.equal((await send("/posts/1.json", { post: again })).body.data, body.data);
      const emptied = await send("/posts/2.json", { post: Object.fromEntries(names.map((name) => [name, null])) });
      assert.is(emptied.status, 200);
      for (const name of names) assert.is(emptied.body.data[name], null, name);
    });
    can("A wrong value is 422 at its field", async () => {
      for (const kind of kinds) {
        const refused = await send("/posts/1.json", { post: { [`a_${kind}`]: wrong[kind] } });
        assert.equal([refused.status, Object.keys(refused.body.errors)], [422, [`a_${kind}`]], kind);
      }
    });
    can("Tags that a form could not show again, or a database not store, are refused", async () => {
      for (const tags of [["Paris, France"], ["a\0b"], "a\0b"]) {
        const refused = await send("/posts/1.json", { post: { a_tags: tags } });
        assert.equal([refused.status, Object.keys(refused.body.errors)], [422, ["a_tags"]], JSON.stringify(tags));
      }
    });
    can("A slider that is empty and may be stays so in a form that is only saved", async () => {
      const client = as(app.client(), 1);
      await send("/posts/2.json", { post: { a_range: null } });
      assert.match(
        await client.page("/admin/posts/2/edit"),
        /<input type="number"[^>]*name="post\[a_range\]"[^>]*min="10"/,
      );
      assert.is((await client.submit("/admin/posts/2/edit", { "post[title]": "Locked" })).status, 303);
      assert.is((await send("/posts/2.json", { post: { title: "Locked" } })).body.data.a_range, null);
      await send("/posts/2.json", { post: { a_range: 15 } });
      assert.match(
        await client.page("/admin/posts/2/edit"),
        /<input type="range" value="15"[^>]*name="post\[a_range\]"/,
      );
    });
    can("A list is filtered by a country, which is chosen by its name", async () => {
      const list = await page("/posts?filter[a_country]=DE");
      assert.match(list, "Hello");
      assert.not.match(list, "Locked");
      assert.match(list, /Germany/);
    });
    can("Check boxes are sent as a list, shown again as they were typed, and emptied", async () => {
      const client = as(app.client(), 1);
      const send = async (path: string, chosen: readonly string[]) => {
        const text = await client.page(path);
        const token = /name="authenticity_token" value="([^"]+)"/.exec(
          text.slice(text.indexOf('class="fw-form"')),
        )![1]!;
        const fields = chosen.map((one): [string, string] => ["wizard[a_checkboxes]", one]);
        return client.request(path, {
          method: "POST",
          body: new URLSearchParams([...fields, ["wizard[a_rating]", "9"], ["authenticity_token", token]]),
        });
      };
      const checked = (text: string) =>
        [...text.matchAll(/type="checkbox"[^>]*value="([^"]+)" checked/g)].map(([, value]) => value);
      const answer = await client.submit("/admin/posts/1/edit", { "post[a_checkboxes]": '["blue"]' });
      assert.is(answer.status, 303);
      assert.equal(checked(await client.page("/admin/posts/1/edit")), ["blue"]);
      const step = (await client.request("/admin/kinds")).headers.get("location")!;
      const again = await send(step, ["", "blue", "red"]);
      assert.is(again.status, 422);
      assert.equal(checked(await again.text()), ["red", "blue"]);
      assert.equal(checked(await client.page(step)), ["red", "blue"]);
      const emptied = await client.submit("/admin/posts/1/edit", { "post[a_checkboxes]": "" });
      assert.is(emptied.status, 303);
      assert.equal(checked(await client.page("/admin/posts/1/edit")), []);
    });
    can("An export has what JSON has", async () => {
      const csv = await page("/posts/export.csv?sort=id");
      assert.match(csv, "PT1H30M");
      assert.match(csv, '"[""red"",""blue""]"');
    });
    can("Interactions and steps of wizards ask for them", async () => {
      const client = as(app.client(), 1);
      const done = await client.submit("/admin/posts/1/actions/echo", typed("interaction", texts));
      assert.is(done.status, 303);
      const said = (await client.page("/admin/posts/1")).replaceAll("&quot;", '"');
      assert.match(
        said,
        /"a_duration":5400,"a_rating":4,"a_country":"DE","a_language":"de","a_tags":\["red","blue"\],"a_phone":"\+493012345678","a_range":45,"a_checkboxes":\["red"\]/,
      );
      const launched = await client.request("/admin/kinds");
      const step = launched.headers.get("location")!;
      const next = await client.submit(step, typed("wizard", texts));
      assert.is(next.status, 303);
      const review = await client.page(next.headers.get("location")!);
      assert.match(review, "Germany");
      assert.match(review, "1:30");
    });
  });
}
