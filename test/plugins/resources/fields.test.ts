import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { type FieldsApp, hiddenIn, openFieldsApp } from "./fields_app.ts";

// Fields that depend on other fields, on the record and on who asks: in interactions and in the forms of records.

const posts = "/customer/1/posts";
const one = `${posts}/1`;
const forged = 'name="interaction[detail]"';

for (const database of await databases({ withPostgres: true })) {
  describe(`Fields that depend on others, on ${database.name}`, (it, { before, after }) => {
    let app: FieldsApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openFieldsApp(await database.values());
        await databaseOf(app.application).knex("posts").where({ id: 1 }).update({ author_id: 3 });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const act = async (interaction: object, key = "ask", user = 1) => {
      const { status, body } = await app.json(`${one}/actions/${key}`, { interaction }, "POST", user);
      return { status, errors: body.errors, values: body.data && JSON.parse(body.data.message) };
    };
    const wrong = async (interaction: object) => Object.keys((await act(interaction)).errors ?? {}).sort();

    can("A field whose condition is false is not required, and what is sent for it is ignored", async () => {
      const { values } = await act({ kind: "spam", detail: "forged", more: "forged", loud: true, sub: "link" });
      assert.equal([values.detail, values.more, values.loud, values.sub], [null, null, false, "link"]);
      assert.equal(await wrong({ kind: "other" }), ["detail"]);
      const full = await act({ kind: "other", detail: "x", loud: true });
      assert.equal([full.values.detail, full.values.loud], ["x", true]);
    });
    can(
      "A value that is ignored fulfils no other field's condition, and neither does one that is no choice",
      async () => {
        assert.equal((await act({ kind: "spam", detail: "much" })).values.more, null);
        assert.equal(await wrong({ kind: "other", detail: "much" }), ["more"]);
        assert.equal(await wrong({ kind: "Other" }), ["kind"]);
      },
    );
    can("Choices of a function are those for the values before it, and no others are accepted", async () => {
      assert.equal(await wrong({ kind: "spam", sub: "none" }), ["sub"]);
      assert.equal(await wrong({ kind: "other", detail: "x", sub: "link" }), ["sub"]);
      assert.is((await act({ kind: "other", detail: "x", sub: "none" })).values.sub, "none");
    });
    can(
      "Choices of a query, and records that are chosen, are those of the tenant; others are as absent ones",
      async () => {
        const html = await app.page(`${one}/actions/ask`);
        assert.match(html, "Comment Alpine");
        assert.not.match(html, /Baltic/);
        const { values } = await act({ kind: "spam", comment: "1", person: 1, author: { id: 3 } });
        assert.equal([values.comment, values.person, values.author], ["1", 1, 3]);
        for (const foreign of [2, "2", 999, "x", "1 or 1=1", { id: 2 }, [1], "01"])
          assert.equal(await wrong({ kind: "spam", person: foreign }), ["person"], JSON.stringify(foreign));
        const [foreign, absent] = [await act({ kind: "spam", person: 2 }), await act({ kind: "spam", person: 999 })];
        assert.equal([foreign.status, foreign.errors], [absent.status, absent.errors]);
        assert.equal(await wrong({ kind: "spam", comment: "2" }), ["comment"]);
      },
    );
    can(
      "The records of an input are searched at its form's address, within the tenant, by whoever may act",
      async () => {
        const found = async (name: string, user = 1) =>
          app.json(`${one}/actions/ask?_search=${name}&q=B`, undefined, "GET", user);
        assert.equal((await found("person")).body.data, [] as never);
        const { body } = await app.json(`${one}/actions/ask?_search=person&q=Ann`);
        assert.equal(body.data, [{ id: 1, label: "Ann Alpine" }] as never);
        for (const name of ["kind", "constructor", "nothing", "comment"])
          assert.is((await found(name)).status, 404, name);
        assert.is((await found("person", 2)).status, 404);
        assert.match(await app.page(`${one}/actions/ask`), `data-search-url="${one}/actions/ask?_search=person"`);
      },
    );
    can("A default of a function prefills from the record, and is the value where JSON says nothing", async () => {
      const html = await app.page(`${one}/actions/ask`);
      assert.match(html, /value="Post Alpine"[^>]*name="interaction\[title\]"/);
      assert.match(html, /<option value="3" selected>/);
      const { values } = await act({ kind: "spam" });
      assert.equal([values.title, values.author], ["Post Alpine", 3]);
      assert.equal((await act({ kind: "spam", title: "", author: null })).values.author, null);
    });
    can("Without scripts a form comes back with the fields that its answers ask for", async () => {
      const first = await app.page(`${one}/actions/ask`);
      assert.not.match(first, /name="interaction\[detail\]"/);
      assert.match(first, /<noscript><button[^>]*name="_refresh"/);
      const back = await app.send(`${one}/actions/ask`, { "interaction[kind]": "other" });
      assert.is(back.status, 422);
      assert.match(back.html, forged);
      assert.match(back.html, "In a few words");
      assert.match(back.html, "Your answers need a little more");
      assert.not.match(back.html, "Detail can");
      assert.is(hiddenIn(back.html)["interaction[_dynamic]"], "detail loud comment sub");
      const refreshed = await app.send(`${one}/actions/ask`, { "interaction[kind]": "spam", _refresh: "1" });
      assert.is(refreshed.status, 422);
      assert.match(refreshed.html, /<option value="link">/);
      assert.not.match(refreshed.html, /fw-error-summary/);
      const done = await app.send(`${one}/actions/ask`, { "interaction[kind]": "spam", "interaction[sub]": "text" });
      assert.is(done.status, 303);
    });
    can("An optional field that an answer brings up is shown before the form is taken", async () => {
      const typed = { "interaction[kind]": "other", "interaction[_dynamic]": "detail comment sub" };
      const back = await app.send(`${one}/actions/ask`, { ...typed, "interaction[detail]": "x" });
      assert.is(back.status, 422);
      assert.match(back.html, 'name="interaction[loud]"');
    });
    can(
      "The form of a record asks for and takes the fields that its other values call for, and no others",
      async () => {
        const form = await app.page(`${posts}/new`);
        assert.match(form, /value="By Ann Alpine"[^>]*name="post\[title\]"/);
        assert.not.match(form, /name="post\[category\]"/);
        const save = async (post: object, path = posts, method = "POST") => app.json(path, { post }, method);
        const hidden = await save({ status: "draft", category: 1 });
        assert.is(hidden.status, 201);
        const stored = await databaseOf(app.application).knex("posts").orderBy("id", "desc").first();
        assert.equal([stored.title, stored.category_id], ["By Ann Alpine", null]);
        assert.equal(Object.keys((await save({ title: "A", status: "old" })).body.errors), ["status"]);
        assert.is((await save({ title: "Long", status: "old" })).status, 201);
        const path = `${posts}/${stored.id}`;
        await save({ category: 1 }, path, "PATCH");
        assert.is((await databaseOf(app.application).knex("posts").where({ id: stored.id }).first()).category_id, null);
        await save({ status: "live", category: 1 }, path, "PATCH");
        assert.is((await databaseOf(app.application).knex("posts").where({ id: stored.id }).first()).category_id, 1);
      },
    );
    can("The form of a record comes back with its further fields, for the version that was edited", async () => {
      const back = await app.send(`${posts}/new`, { "post[title]": "B", "post[status]": "live" });
      assert.is(back.status, 422);
      assert.match(back.html, 'name="post[category]"');
      const path = `${one}/edit`;
      const before = hiddenIn(await app.page(path)).lock_version;
      const refreshed = await app.send(path, { "post[status]": "draft", _refresh: "1" });
      assert.is(refreshed.status, 422);
      assert.is(hiddenIn(refreshed.html).lock_version, before);
      assert.not.match(refreshed.html, 'name="post[category]"');
      assert.is((await databaseOf(app.application).knex("posts").where({ id: 1 }).first()).status, "live");
    });
    can("A stored value that is no choice any more may stay, and no other such value comes in", async () => {
      await databaseOf(app.application).knex("posts").where({ id: 1 }).update({ status: "gone" });
      const save = async (status: string) => (await app.json(one, { post: { title: "T", status } }, "PATCH")).status;
      assert.equal([await save("gone"), await save("other")], [200, 422]);
    });
    can("Each type of input has the same value from a form as from JSON", async () => {
      const samples: Record<string, [form: string, json: unknown]> = {
        string: ["a b", "a b"],
        uuid: ["123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
        text: ["a\r\nb", "a\nb"],
        markdown: ["*a*", "*a*"],
        json: ['{"a":[1]}', { a: [1] }],
        integer: ["7", 7],
        bigint: ["900719925474099", 900719925474099],
        decimal: ["1.50", "1.50"],
        float: ["1.5", 1.5],
        money: ["12,5", 12.5],
        boolean: ["1", true],
        date: ["2026-02-03", "2026-02-03"],
        datetime: ["2026-02-03T04:05", "2026-02-03T04:05:00Z"],
        time: ["04:05", "04:05"],
        email: ["a@b.test", "a@b.test"],
        url: ["https://a.test/x", "https://a.test/x"],
        tel: ["+41 1", "+41 1"],
        color: ["#aabbcc", "#aabbcc"],
        password: ["secret", "secret"],
        select: ["a", "a"],
        enum: ["b", "b"],
        radio: ["a", "a"],
        author: ["1", { id: 1 }],
      };
      const json = Object.fromEntries(Object.entries(samples).map(([name, [, value]]) => [name, value]));
      const form = Object.fromEntries(Object.entries(samples).map(([name, [text]]) => [`interaction[${name}]`, text]));
      const [values, kinds] = (await act(json, "every_type")).values;
      assert.equal(Object.keys(values).sort(), Object.keys(samples).sort(), "a type of input has no sample here");
      assert.is(kinds.datetime, "[object Date]");
      const sent = await app.send(`${one}/actions/every_type`, form);
      assert.is(sent.status, 303);
      assert.equal(JSON.parse(await flashOf(sent.to)), [values, kinds]);
      const empty = (await act({}, "every_type")).values[0];
      for (const [name, value] of Object.entries(empty)) assert.is(value, name === "boolean" ? false : null, name);
      const blank = Object.fromEntries(Object.keys(form).map((name) => [name, ""]));
      assert.is((await app.send(`${one}/actions/every_type`, blank)).status, 303);
    });
    /** What an interaction said on the page that it led to. */
    const flashOf = async (to: string): Promise<string> =>
      /(\[\{.*?\}\])</s.exec((await app.page(to)).replaceAll("&quot;", '"'))![1]!;
  });
}
