import { defineFieldType, displays, inputs } from "framewright/plugins/fields";
import { storedValues, valuesOf } from "../../../plugins/background_runs/content.ts";
import { standardTypes } from "../../../plugins/fields/types/index.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as } from "../wizards/mounts_support.ts";
import { fieldTypeFiles, openFieldTypes } from "./field_types_app.ts";

interface Answer {
  status: number;
  body: { data: unknown; errors: unknown };
}

for (const database of await databases()) {
  describe(`Types of fields that plugins add, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openFieldTypes(await database.values());
        const { knex } = databaseOf(app.application);
        await knex("posts").where({ id: 1 }).update({ tint: "#aabbcc", labels: "a b" });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const page = async (path: string) => (await app.request(`/admin${path}`, { headers: { "x-user": "1" } })).text();
    const json = async (path: string, body?: object, method = body ? "POST" : "GET"): Promise<Answer> => {
      const headers = { accept: "application/json", "content-type": "application/json", "x-user": "1" };
      const answer = await app.request(`/admin${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { status: answer.status, body: (await answer.json()) as Answer["body"] };
    };
    const ids = async (query: string) => {
      const { body } = await json(`/posts.json?${query}`);
      return (body.data as { id: number }[]).map(({ id }) => id);
    };

    can("A form has the type's input with what is stored, as its text", async () => {
      const html = await page("/posts/1/edit");
      assert.match(
        html,
        /<input type="text" value="#aabbcc"[^>]*name="post\[tint\]"[^>]*maxlength="7"[^>]*data-colour/,
      );
      assert.match(html, /<input type="text" value="a, b"[^>]*name="post\[labels\]"[^>]*data-tags/);
      assert.match(html, "fw-field-colour");
    });
    can("A list has its cell, and the page of a record what it displays; an empty one is not set", async () => {
      const list = await page("/posts");
      assert.match(list, '<td><svg class="fw-colour"');
      assert.not.match(list, "<code>#aabbcc</code>");
      assert.match(list, '<td data-label="Labels" class="fw-numeric"><i>a b</i></td>');
      const shown = await page("/posts/1");
      assert.match(shown, /<svg class="fw-colour"[^>]*>.*<\/svg> <code>#aabbcc<\/code>/);
      assert.match(await page("/posts/2"), /<dt>Tint<\/dt><dd><span class="fw-none"/);
    });
    can("JSON has what the type makes of a value, in lists and for a record, null for none", async () => {
      assert.equal((await json("/posts/1.json")).body.data, {
        id: 1,
        title: "Hello",
        tint: "#aabbcc",
        labels: ["a", "b"],
      });
      assert.equal((await json("/posts/2.json")).body.data, {
        id: 2,
        title: "Locked",
        tint: null,
        labels: null,
      });
      const { data } = (await json("/posts.json?sort=id")).body as { data: { labels: unknown }[] };
      assert.equal(
        data.map(({ labels }) => labels),
        [["a", "b"], null],
      );
    });
    can("A form and JSON are read as the same value, and what JSON answered is taken back", async () => {
      const client = as(app.client(), 1);
      const sent = { "post[title]": "New", "post[tint]": " 112233", "post[labels]": "y,  x" };
      assert.is((await client.submit("/admin/posts/new", sent)).status, 303);
      const created = await json("/posts.json", { post: { title: "Newer", tint: "#112233", labels: ["y", "x"] } });
      assert.is(created.status, 201);
      const { data } = created.body as { data: { id: number; labels: unknown; tint: string } };
      assert.equal([data.labels, data.tint], [["x", "y"], "#112233"]);
      const rows = await databaseOf(app.application).knex("posts").where("title", "like", "New%");
      assert.equal(
        rows.map(({ tint, labels }) => [tint, labels]),
        [
          ["#112233", "x y"],
          ["#112233", "x y"],
        ],
      );
      const again = await json(`/posts/${data.id}.json`, { post: { labels: data.labels } }, "PATCH");
      assert.equal((again.body.data as { labels: unknown }).labels, ["x", "y"]);
      const cleared = await json(`/posts/${data.id}.json`, { post: { labels: null, tint: "" } }, "PATCH");
      assert.equal([cleared.status, (cleared.body.data as { tint: unknown }).tint], [200, null]);
      await databaseOf(app.application).knex("posts").where("title", "like", "New%").delete();
    });
    can("What can't be read, and what its rule refuses, is 422 with the message beside the field", async () => {
      const refused = await json("/posts.json", { post: { title: "A", tint: "red", labels: "a,b,c,d" } });
      assert.is(refused.status, 422);
      assert.equal(refused.body.errors, {
        tint: ["is not a colour, as in #aabbcc"],
        labels: ["is not one of the choices"],
      });
      assert.equal((await json("/posts.json", { post: { title: "A", tint: "#000000" } })).body.errors, {
        tint: ["is not in the palette"],
      });
      for (const tint of [["#aabbcc", 1], { value: "#aabbcc" }, "#aabbcc\0", true, 7])
        assert.is((await json("/posts.json", { post: { title: "A", tint } })).status, 422, JSON.stringify(tint));
      const client = as(app.client(), 1);
      const answer = await client.submit("/admin/posts/new", { "post[title]": "A", "post[tint]": "red" });
      const html = await answer.text();
      assert.is(answer.status, 422);
      assert.match(html, 'value="red"');
      assert.match(html, 'id="post_tint_errors">is not a colour, as in #aabbcc</p>');
    });
    can("A list is filtered by the value that the type reads, by its own condition or by equality", async () => {
      assert.equal(await ids("filter[tint]=AABBCC"), [1]);
      assert.equal(await ids("filter[tint]=%23112233"), []);
      assert.equal(await ids("filter[labels]=b"), [1]);
      assert.equal(await ids("filter[title]=ell"), [1]);
      assert.is((await json("/posts.json?filter[tint]=red")).status, 422);
      assert.match(await page("/posts"), /<input type="text" name="filter\[labels\]" value="" placeholder="Labelled"/);
    });
    can("Inputs of interactions have the type: drawn, read with their defaults, refused", async () => {
      const html = await page("/posts/1/actions/paint");
      assert.match(html, /name="interaction\[tint\]"[^>]*data-colour/);
      assert.match(html, /value="b,a"[^>]*name="interaction\[labels\]"/);
      const done = await json("/posts/1/actions/paint.json", { interaction: { tint: "AABBCC" } });
      assert.equal(JSON.parse((done.body.data as { message: string }).message), { tint: "#aabbcc", labels: "a b" });
      const refused = await json("/posts/1/actions/paint.json", { interaction: { tint: "red" } });
      assert.equal([refused.status, refused.body.errors], [422, { tint: ["is not a colour, as in #aabbcc"] }]);
    });
    can(
      "Fields of a wizard's step have the type: drawn, stored as JSON, shown in the review, read in execute",
      async () => {
        const client = as(app.client(), 1);
        const launched = await client.request("/admin/tint");
        const at = launched.headers.get("location")!.replace(app.url, "");
        assert.match(await client.page(at), /name="wizard\[tint\]"[^>]*data-colour/);
        const wrong = await client.submit(at, { "wizard[tint]": "red", "wizard[labels]": "a" });
        assert.equal([wrong.status, (await wrong.text()).includes("is not a colour, as in #aabbcc")], [422, true]);
        const sent = { "wizard[tint]": "aabbcc", "wizard[labels]": "d,c", "wizard[more][0][tint]": "112233" };
        const next = await client.submit(at, sent);
        const review = next.headers.get("location")!.replace(app.url, "");
        const html = await client.page(review);
        assert.match(html, "<code>#aabbcc</code>");
        assert.match(html, "<code>#112233</code>");
        assert.match(html, "<i>c d</i>");
        assert.match(await client.page(at), /value="c, d"[^>]*name="wizard\[labels\]"/);
        const step = await client.json(`${at}.json`);
        assert.equal((step.body.data as { values: { labels: unknown } }).values.labels, ["c", "d"]);
        const done = await client.submit(review, {});
        assert.is(done.status, 303);
        const shown = await client.page(done.headers.get("location")!.replace(app.url, ""));
        assert.match(shown, "&quot;tint&quot;:&quot;#aabbcc&quot;,&quot;labels&quot;:&quot;c d&quot;");
      },
    );
  });
}

describe("The registry of field types", (it) => {
  const failing = async (changes: Record<string, string>): Promise<Error & { code: string }> =>
    openFieldTypes({}, changes).then(
      async (app) => {
        await app.close();
        throw new Error("it booted");
      },
      (error) => error,
    );
  const plugin = (name: string, add: string) => `
    import { definePlugin } from "framewright/kernel";
    import { defineFieldType } from "framewright/plugins/fields";
    export default () => definePlugin({ name: "${name}", requires: ["resources"], apply: ({ services }) => { ${add} } });`;

  it("Two plugins that add the same type are refused in a sentence that names both, unless one says replace", async () => {
    const add = 'services.resources.fieldTypes.add("colour", defineFieldType<string>({}))';
    const { code, message } = await failing({ "lib/tags.ts": plugin("fw-tags", add) });
    assert.is(code, "FW_REGISTRY_TAKEN");
    for (const part of ["type of fields", '"colour"', "fw-colour", "fw-tags"]) assert.match(message, part);
    const own = 'services.resources.fieldTypes.add("integer", defineFieldType<number>({}))';
    assert.match((await failing({ "lib/tags.ts": plugin("fw-tags", own) })).message, "resources");
  });
  it("A type of the framework can be replaced, in one application", async () => {
    const shout = `
      services.resources.fieldTypes.add("tags", defineFieldType<string>({}));
      services.resources.fieldTypes.add("string", defineFieldType<string>({ display: (value) => html\`<b>\${value}!</b>\` }), { replace: true });`;
    const lib = plugin("fw-tags", shout).replace("import", 'import { html } from "framewright/host";\n import');
    const list = async (changes: Record<string, string>) => {
      const app = await openFieldTypes({}, changes);
      const html = await (await app.request("/admin/posts", { headers: { "x-user": "1" } })).text();
      const owner = app.application.kernel.service("resources").fieldTypes.ownerOf("string");
      await app.close();
      return { owner, isShouted: html.includes("<b>Hello!</b>") };
    };
    assert.equal(await list({ "lib/tags.ts": lib }), { owner: "fw-tags", isShouted: true });
    assert.equal(await list({}), { owner: "resources", isShouted: false });
  });
  it("Types end with their application: the next one of the process has its own", async () => {
    const create = async (changes: Record<string, string>) => {
      const app = await openFieldTypes({}, changes);
      const headers = { "x-user": "1", "content-type": "application/json", accept: "application/json" };
      const body = JSON.stringify({ post: { title: "A", tint: "#010203" } });
      const { status } = await app.request("/admin/posts.json", { method: "POST", headers, body });
      await app.close();
      return status;
    };
    assert.is(await create({ "plugins.config.ts": fieldTypeFiles("")["plugins.config.ts"]! }), 201);
    assert.is(await create({}), 422);
  });
  it("A misspelt type of an input, a filter, an interaction and a step is refused at boot with a suggestion", async () => {
    const files = fieldTypeFiles();
    const misspelt = (path: string, from: string, to: string) => failing({ [path]: edited(files, path, [from, to]) });
    const definition = "app/definitions/post_definition.ts";
    const input = await misspelt(
      definition,
      'this.field("tint", { as: "colour" })',
      'this.field("tint", { as: "colours" as never })',
    );
    assert.is(input.code, "FW_DEFINITION_TYPE");
    assert.match(input.message, /Did you mean "colour"\?/);
    const filter = await misspelt(definition, 'as: "tags", label', 'as: "email", label');
    assert.is(filter.code, "FW_DEFINITION_TYPE");
    assert.match(filter.message, /There are: text, .*select.*colour, tags\./);
    const asked = await misspelt("app/interactions/paint.ts", 'as: "colour"', 'as: "colours"');
    assert.is(asked.code, "FW_INTERACTION_INPUT");
    assert.match(asked.message, 'Did you mean "colour"?');
    const step = await misspelt("app/wizards/tint_wizard.ts", 'as: "colour", presence', 'as: "colors", presence');
    assert.is(step.code, "FW_WIZARD_FIELD_TYPE");
    assert.match(step.message, /the step "paint" asks for "tint" as "colors".* Did you mean "color"\?/);
  });
  it("A type that definitions alone have is refused in an interaction and a step, with what to ask for instead", async () => {
    const files = fieldTypeFiles();
    const listed = edited(
      files,
      "plugins.config.ts",
      ["import { colour }", 'import { nestedRecords } from "framewright/plugins/nested_records";\nimport { colour }'],
      ["resources(),", "resources(), nestedRecords(),"],
    );
    const [paint, wizard] = ["app/interactions/paint.ts", "app/wizards/tint_wizard.ts"];
    const asked = await failing({
      "plugins.config.ts": listed,
      [paint]: edited(files, paint, ['labels: { as: "tags", default: "b,a" }', 'labels: { as: "rows" }']),
    });
    assert.is(asked.code, "FW_INTERACTION_INPUT");
    assert.match(asked.message, 'Definitions alone have it: ask for rows by as: "repeated"');
    assert.not.match(asked.message, "plugins.config.ts");
    for (const from of ['.field("labels", { as: "tags" })', '(g) => g.field("tint", { as: "colour" })']) {
      const step = await failing({
        "plugins.config.ts": listed,
        [wizard]: edited(files, wizard, [from, from.replace(/as: "\w+"/, 'as: "rows"')]),
      });
      assert.is(step.code, "FW_WIZARD_FIELD_TYPE");
      assert.match(step.message, /the step "paint" asks for "\w+" as "rows".*ask for rows by as: "repeated"/);
    }
    const unlisted = await failing({ [paint]: edited(files, paint, ['as: "tags"', 'as: "checkboxes"']) });
    assert.match(unlisted.message, "Add extraFields()");
  });
  it("Values of jobs are stored as JSON has them, and read again as the type has them", () => {
    const tags = defineFieldType<string[]>({
      coerce: (text) => ({ value: text.split(" ") }),
      json: (value) => value.join(" "),
    });
    const types = new Map([...standardTypes.entries(), ["tags", tags] as const]);
    const attributes = { tags: { as: "tags" }, on: { as: "datetime" }, none: { as: "tags" }, note: { as: "string" } };
    const values = { tags: ["a", "b"], on: new Date("2026-01-01T10:00:00Z"), none: null, note: "x y" };
    const stored = storedValues(values, attributes, types);
    assert.equal(stored, { tags: "a b", on: "2026-01-01T10:00:00.000Z", none: null, note: "x y" });
    assert.equal(valuesOf({ values: JSON.parse(JSON.stringify(stored)) } as never, attributes, types), values);
  });
  it("The tables of inputs and displays, and the types, are read and not changed", () => {
    assert.is(Object.keys(inputs).length, 25);
    assert.is(typeof displays.binary, "function");
    for (const one of [inputs, displays, defineFieldType<string>({})])
      assert.throws(() => Object.assign(one, { string: () => undefined, column: {} }), TypeError);
  });
});
