import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { type FieldsApp, fieldsFiles, openFieldsApp, Person } from "../resources/fields_app.ts";

const [migration, policy, definition, ask, wizard] = [
  "db/migrate/20260101000000_create_tables.ts",
  "packages/blogging/app/policies/blogging/post_policy.ts",
  "packages/blogging/app/definitions/blogging/post_definition.ts",
  "app/interactions/ask.ts",
  "app/wizards/ask_wizard.ts",
];
const posts = "/admin/blogging/posts";
const shop = (declared: string) => ({
  [migration]: edited(shopFiles, migration, ['t.integer("position");', 't.integer("position"); t.json("extra");']),
  [policy]: edited(shopFiles, policy, ['"position"', '"position", "extra"']),
  [definition]: edited(shopFiles, definition, ["super.configure();", `super.configure();\n${declared}`]),
});

/** The tag of "More fields", and the names of the inputs within; undefined where a form has none. */
function moreOf(html: string): { isOpen: boolean; names: string[] } | undefined {
  const form = /<form[^>]* class="fw-form".*?<\/form>/s.exec(html)?.[0] ?? "";
  const [, state, content] =
    /<details class="fw-fieldset fw-folding"([^>]*)><summary><h2>More fields<\/h2>(.*?)<\/details>/s.exec(form) ?? [];
  if (content === undefined) return undefined;
  const names = [...content.matchAll(/ name="[a-z_]+\[(\w+)\]"/g)].map(([, name]) => name!);
  return { isOpen: / open/.test(state!), names: [...new Set(names)] };
}

describe("The fields of a form that need not be filled in", (it, { before, after }) => {
  let app: TestApp;
  let client: Client;
  before(async () => {
    app = await openShop(shop(""));
    client = new Client(app.url);
  });
  after(() => app.close());

  it("Documents and numbers of order are under More fields, which is closed", async () => {
    assert.equal(moreOf(await client.page(`${posts}/new`)), { isOpen: false, names: ["position", "extra"] });
  });
  it("They are sent as the others are", async () => {
    const { headers } = await client.submit(`${posts}/new`, {
      "blogging_post[title]": "One",
      "blogging_post[extra]": '{"a":1}',
    });
    const id = headers.get("location")!.split("/").at(-1)!;
    assert.is((await databaseOf(app.application).knex("blogging_posts").where({ id }).first()).extra, '{"a":1}');
    assert.is(moreOf(await client.page(`${posts}/${id}/edit`))!.isOpen, true, "one has a value");
  });
  it("They are open where one of them is wrong", async () => {
    const answer = await client.submit(`${posts}/new`, { "blogging_post[extra]": "{" });
    assert.is(answer.status, 422);
    assert.is(moreOf(await answer.text())!.isOpen, true);
  });
  it("They are closed where only others are wrong", async () => {
    const answer = await client.submit(`${posts}/new`, { "blogging_post[title]": "" });
    assert.equal([answer.status, moreOf(await answer.text())!.isOpen], [422, false]);
  });
  it("A record that has what the fields begin with has them closed", async () => {
    const { headers } = await client.submit(`${posts}/new`, { "blogging_post[title]": "Two" });
    assert.is(moreOf(await client.page(`${headers.get("location")}/edit`))!.isOpen, false);
  });
});

describe("What a definition declares of such fields", (it) => {
  it("Takes one out and puts another in, but none that is required", async () => {
    const app = await openShop(
      shop(`this.input("extra", { secondary: false });
    this.input("title", { secondary: true });
    this.input("status", { secondary: true, as: "select", choices: ["draft", "live"] });
    this.input("position", { default: 3 });`),
    );
    try {
      const client = new Client(app.url);
      assert.equal(moreOf(await client.page(`${posts}/new`)), { isOpen: false, names: ["status", "position"] });
    } finally {
      await app.close();
    }
  });
});

describe("Fields of interactions and wizards that need not be filled in", (it, { before, after }) => {
  let app: FieldsApp;
  before(async () => {
    app = await openFieldsApp(
      {},
      {
        [ask]: edited(fieldsFiles, ask, ["title: { as: ", 'note: { as: "string", secondary: true },\n  title: { as: ']),
        [wizard]: edited(fieldsFiles, wizard, [
          '.string("title"',
          '.string("note", { secondary: true, default: "–" }).string("title"',
        ]),
      },
    );
  });
  after(() => app.close());
  for (const path of ["/customer/1/posts/1/actions/ask", "/customer/1/posts/1/wizards/question"])
    it(`Are under More fields in ${path.split("/").at(-2)}`, async () => {
      const ann = new Person(app.url, 1);
      const launched = (await ann.request(path)).headers.get("location") ?? path;
      assert.equal(moreOf(await ann.page(launched)), { isOpen: false, names: ["note"] });
    });
});
