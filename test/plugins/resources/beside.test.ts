import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const posts = "app/policies/post_policy.ts";
const comments = "app/policies/comment_policy.ts";
const models = "app/models/post.ts";
/** Cat may not make posts; a post has a title. */
const files: Record<string, string> = {
  [posts]: edited(
    tenantFiles,
    posts,
    [
      "override canCreate() {\n    return true;",
      "override canCreate() {\n    return (this.user as { id: number }).id !== 3;",
    ],
    ['return query.where("status", "nowhere").orWhereRaw("1 = 1");', 'return query.whereNot("title", "Hidden");'],
  ),
  [comments]: edited(tenantFiles, comments, [
    "override canDestroy",
    "override canUpdate() {\n    return true;\n  }\n  override canDestroy",
  ]),
  [models]: edited(tenantFiles, models, [
    "static override scopes",
    "static override validations = { title: { presence: true } };\n  static override scopes",
  ]),
};
const portal = "/customer/1";
const [ann, cat] = [{ "x-user": "1" }, { "x-user": "3" }];
const LONG = Array.from({ length: 3000 }, (_, at) => (at * 7919).toString(36)).join(" ");

/** A person without JavaScript: follows redirects, keeps cookies, sends the form of a page with what it has. */
class Person {
  readonly #app: TestApp;
  readonly #headers: Record<string, string>;
  readonly #cookies = new Map<string, string>();
  url = "";
  html = "";
  status = 0;

  constructor(app: TestApp, headers: Record<string, string>) {
    this.#app = app;
    this.#headers = headers;
  }
  async get(url: string): Promise<this> {
    return this.#ask(url, {});
  }
  async #ask(url: string, init: RequestInit): Promise<this> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await this.#app.request(url, {
      ...init,
      headers: { ...this.#headers, cookie, ...(init.headers as object) },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      this.#cookies.set(name!, value!);
    }
    const location = answer.headers.get("location");
    if (location) return this.#ask(location, {});
    Object.assign(this, { url, status: answer.status, html: await answer.text() });
    return this;
  }
  /** The inputs of the page's form, by name. */
  fields(): Record<string, string> {
    const form = /<form class="fw-form".*?<\/form>/s.exec(this.html)![0];
    const unescaped = (text: string) =>
      text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
    const found: Record<string, string> = {};
    for (const [tag] of form.matchAll(/<input [^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(tag)?.[1];
      if (name) found[name] = unescaped(/value="([^"]*)"/.exec(tag)?.[1] ?? "");
    }
    for (const [, name, options] of form.matchAll(/<select[^>]*name="([^"]*)".*?>(.*?)<\/select>/gs))
      found[name!] = /value="([^"]*)" selected/.exec(options!)?.[1] ?? "";
    return found;
  }
  async send(values: Record<string, string>, headers: Record<string, string> = {}): Promise<this> {
    const action = /<form class="fw-form"[^>]* action="([^"]*)"/.exec(this.html)![1]!;
    const body = new URLSearchParams({ ...this.fields(), ...values });
    return this.#ask(action, { method: "POST", body, headers });
  }
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A record made beside the select that it is chosen in, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = () => databaseOf(app.application).knex;
    const button = (html: string, name: string) => html.includes(`name="_new" value="${name}"`);

    can("is offered to who may make one, where the target is a resource of the portal", async () => {
      const { html } = await new Person(app, ann).get(`${portal}/comments/new`);
      assert.match(
        html,
        /<button [^>]*name="_new" value="post" formnovalidate data-beside="\/customer\/1\/posts\/new\?/,
      );
      assert.ok(button(html, "reply_to"));
      const cats = await new Person(app, cat).get(`${portal}/comments/new`);
      assert.not.ok(button(cats.html, "post"));
      assert.ok(button(cats.html, "reply_to"));
    });
    can("is chosen in the form, which has what was typed, after its own form was corrected", async () => {
      const person = await new Person(app, ann).get(`${portal}/comments/new?return_to=%2Fcustomer%2F1%2Fposts`);
      await person.send({ "comment[title]": "A <b>typed</b> title", _new: "post" });
      assert.ok(person.url.startsWith(`${portal}/posts/new?return_to=`), person.url);
      assert.not.ok(person.html.includes('name="_another"'));
      await person.send({ "post[title]": "", "post[status]": "live" });
      assert.equal(person.status, 422);
      await person.send({ "post[title]": "Made beside" });
      const { id } = await knex()("posts").where({ title: "Made beside" }).first();
      assert.equal(person.status, 200);
      assert.match(person.html, "Made beside was created");
      const { "comment[title]": title, "comment[post]": post, return_to } = person.fields();
      assert.equal([title, post, return_to], ["A <b>typed</b> title", String(id), "/customer/1/posts"]);
      await person.send({});
      const row = await knex()("comments").where({ post_id: id }).first();
      assert.equal([row.title, person.url], ["A <b>typed</b> title", "/customer/1/posts"]);
    });
    can("leads back to an edited record, with its version, and without one where it is cancelled", async () => {
      const person = await new Person(app, ann).get(`${portal}/comments/1/edit`);
      const { lock_version } = person.fields();
      await person.send({ "comment[title]": "Edited", _new: "post" });
      const cancel = /<a class="btn" href="([^"]*)"/.exec(
        person.html.slice(person.html.indexOf("fw-form-footer")),
      )![1]!;
      await person.get(cancel.replaceAll("&amp;", "&"));
      const fields = person.fields();
      assert.equal([fields["comment[title]"], fields["comment[post]"]], ["Edited", "1"]);
      assert.equal(fields.lock_version, lock_version);
    });
    can("is made over several forms, one within the other", async () => {
      const person = await new Person(app, ann).get(`${portal}/comments/new`);
      await person.send({ "comment[title]": "Outer", _new: "post" });
      await person.send({ "post[title]": "Middle", _new: "category" });
      await person.send({ "category[name]": "Inner" });
      const { id } = await knex()("categories").where({ name: "Inner" }).first();
      assert.equal(person.fields()["post[title]"], "Middle");
      assert.equal(person.fields()["post[category]"], String(id));
      await person.send({});
      assert.equal(person.fields()["comment[title]"], "Outer");
      const made = await knex()("posts").where({ title: "Middle" }).first();
      assert.equal(person.fields()["comment[post]"], String(made.id));
    });
    can("keeps a form that is too long to be left where it is", async () => {
      const person = await new Person(app, ann).get(`${portal}/comments/new`);
      await person.send({ "comment[title]": LONG, _new: "post" });
      assert.equal([person.status, person.url], [422, `${portal}/comments`]);
      assert.equal(person.fields()["comment[title]"], LONG);
      assert.match(person.html, /too long to be left/);
    });
    can("is not for a field that has none, for who may not, or out of sight", async () => {
      const before = (await knex()("comments").select("id")).length;
      for (const [headers, field] of [
        [ann, "title"],
        [ann, "nothing"],
        [ann, "__proto__"],
        [cat, "post"],
      ] as const) {
        const person = await new Person(app, headers).get(`${portal}/comments/new`);
        await person.send({ "comment[title]": "Kept", _new: field });
        assert.equal([field, person.status, person.url], [field, 422, `${portal}/comments`]);
        assert.equal(person.fields()["comment[title]"], "Kept");
      }
      assert.equal((await knex()("comments").select("id")).length, before);
      const person = await new Person(app, ann).get(`${portal}/comments/new`);
      await person.send({ "comment[title]": "Kept", _new: "post" });
      await person.send({ "post[title]": "Hidden" });
      assert.equal([person.url, person.fields()["comment[title]"]], [`${portal}/comments/new?_beside=post`, "Kept"]);
      await person.get(`${portal}/posts/new?return_to=${encodeURIComponent(`${portal}/comments/new?_choose=post`)}`);
      await person.send({ "post[title]": "Hidden" }, { "turbo-frame": "modal" });
      assert.equal([person.status, person.html.includes("data-chosen")], [201, false]);
    });
    can("is never another tenant's, another form's or another person's, whatever the address says", async () => {
      const person = await new Person(app, ann).get(`${portal}/comments/new`);
      await person.send({ "comment[title]": "Secret draft", _new: "post" });
      const typed = async (url: string) => {
        await person.get(url);
        return person.status === 200 ? person.fields() : {};
      };
      assert.equal((await typed(`${portal}/comments/new?_beside=post.2`))["comment[post]"], "", "Baltic's post");
      assert.equal((await typed(`${portal}/comments/new?_beside=post.1`))["comment[post]"], "1");
      for (const url of [
        "comments/new",
        "comments/new?_beside=reply_to.1",
        "comments/1/edit?_beside=post.1",
        "comments/new?_beside[a]=1",
      ])
        assert.not.equal((await typed(`${portal}/${url}`))["comment[title]"], "Secret draft", url);
      const other = await new Person(app, ann).get(`${portal}/comments/new?_beside=post.1`);
      assert.equal(other.fields()["comment[post]"], "", "without what was typed nothing is chosen");
    });
    can("is answered to the dialog that it was made in, with its label", async () => {
      const person = await new Person(app, ann).get(`${portal}/comments/new`);
      const url = /data-beside="([^"]*)"/.exec(person.html)![1]!.replaceAll("&amp;", "&");
      await person.get(url);
      assert.equal(person.fields().return_to, `${portal}/comments/new?_choose=post`);
      await person.send({ "post[title]": "In a <dialog>" }, { "turbo-frame": "modal" });
      const { id } = await knex()("posts").where({ title: "In a <dialog>" }).first();
      assert.equal(person.status, 201);
      assert.match(person.html, `data-chosen="${id}" data-label="In a &lt;dialog&gt;"`);
      assert.match(person.html, /^<turbo-frame id="modal">/);
    });
  });
}
