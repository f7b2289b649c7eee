import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { remarkFiles, remarkPolicy } from "./polymorphic_app.ts";

const at = "/customer/1/remarks";
interface Remark {
  id: number;
  text: string;
  subject: { type: string; id: number; label: string } | null;
}
interface Answer {
  status: number;
  body: { data?: Remark & Remark[]; errors?: Record<string, string[]>; meta?: object };
}
const byAnn = { "x-user": "1", accept: "application/json", "content-type": "application/json" };

class Ann extends Client {
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    return super.request(path, { ...init, headers: { ...(init.headers as object), "x-user": "1" } });
  }
}

for (const database of await databases()) {
  describe(`A record of one of several models, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(
          remarkFiles(`this.action("duplicate"); this.column("subject", { edit: true });`),
          await database.values(),
        );
        const { knex } = databaseOf(app.application);
        await knex("posts").insert({ id: 3, title: "Hidden", status: "live", organization_id: 1, author_id: 3 });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const send = async (method: string, path: string, values?: object): Promise<Answer> => {
      const body = values && { body: JSON.stringify({ remark: values }) };
      const answer = await app.request(path, { method, headers: byAnn, ...body });
      const text = await answer.text();
      return { status: answer.status, body: text === "" ? {} : JSON.parse(text) };
    };
    const stored = async (id: number) => {
      const { subject_type, subject_id } = await databaseOf(app.application).knex("remarks").where({ id }).first();
      return `${subject_type}/${subject_id}`;
    };
    const client = () => new Ann(app.url);

    can("The form of a duplicate has it, and its cell in the list is edited", async () => {
      const made = await send("POST", at, { text: "Pattern", subject: "Post/1" });
      const path = `${at}/${made.body.data!.id}`;
      const form = await client().page(`${path}/duplicate`);
      assert.match(form, /<option value="Post\/1" selected>/);
      const ann = client();
      const cell = await ann.page(`${path}/cells/subject`);
      assert.match(cell, /<option value="Post\/1" selected>/);
      const body = new URLSearchParams({ "remark[subject]": "Note/1" });
      const inputs = cell
        .slice(cell.indexOf("fw-cell-form"))
        .matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
      for (const [, name, value] of inputs) body.set(name!, value!);
      const sent = await ann.request(`${path}/cells/subject`, { method: "POST", body });
      assert.is(sent.status, 303, await sent.text());
      assert.is(await stored(made.body.data!.id), "Note/1");
      const { knex } = databaseOf(app.application);
      await knex("remarks").where({ id: made.body.data!.id }).delete();
    });

    can("JSON gives and takes its type and id, or both as one text, and shows its label in lists", async () => {
      const made = await send("POST", at, { text: "One", subject: { type: "Post", id: 1 } });
      assert.equal(
        [made.status, made.body.data?.subject],
        [201, { type: "Post", id: 1, label: "Post Alpine" }],
        JSON.stringify(made.body),
      );
      const { id } = made.body.data!;
      const changed = await send("PATCH", `${at}/${id}`, { subject: "Note/1" });
      assert.equal(changed.body.data?.subject, { type: "Note", id: 1, label: "Note Alpine" });
      assert.is((await send("PATCH", `${at}/${id}`, { subject: changed.body.data!.subject })).status, 200);
      assert.is((await send("PATCH", `${at}/${id}`, { text: "Two" })).status, 200);
      assert.is(await stored(id), "Note/1");
      const list = await send("GET", at);
      assert.equal(
        list.body.data!.map(({ subject }) => subject?.label),
        ["Note Alpine"],
      );
      assert.equal((await send("GET", `${at}/${id}`)).body.data?.subject?.type, "Note");
      assert.is((await send("DELETE", `${at}/${id}`)).status, 204);
    });

    can("What the person does not see is refused as what does not exist, and nothing is written", async () => {
      const before = await databaseOf(app.application).knex("remarks");
      const foreign = ["Post/2", "Note/2", { type: "Post", id: 2 }, "Post/3"];
      const wrong = [
        "Post/99",
        "User/1",
        "Post/1abc",
        "Post/",
        "/1",
        "Post",
        "__proto__/1",
        { type: "Comment", id: 1 },
      ];
      for (const subject of [...foreign, ...wrong]) {
        const answer = await send("POST", at, { text: "No", subject });
        assert.equal(
          [answer.status, answer.body.errors],
          [422, { subject: ["is not one of the choices"] }],
          JSON.stringify(subject),
        );
      }
      for (const subject of [[], ["Post/1"], {}, { id: 1 }, { type: "Post" }, { type: ["Post"], id: 1 }, 1, true])
        assert.is((await send("POST", at, { text: "No", subject })).status, 422, JSON.stringify(subject));
      assert.equal((await send("POST", at, { text: "No" })).body.errors, { subject: ["must be chosen"] });
      assert.equal((await send("POST", at, { text: "No", subject: null })).body.errors, {
        subject: ["must be chosen"],
      });
      const halves = { subject_type: "Post", subject_id: 2, subject: "Post/1" };
      const made = await send("POST", at, { text: "Halves are ignored", ...halves });
      assert.is(await stored(made.body.data!.id), "Post/1");
      await send("DELETE", `${at}/${made.body.data!.id}`);
      assert.equal(await databaseOf(app.application).knex("remarks"), before);
    });

    can("A form offers what the person sees in a group for each model, keeps the choice, and saves it", async () => {
      const page = await client().page(`${at}/new`);
      const select = /<select[^>]*name="remark\[subject\]"[^>]*>(.*?)<\/select>/s.exec(page)![1]!;
      assert.match(
        select,
        /<optgroup label="Posts"[^>]*>.*Post\/1.*<\/optgroup><optgroup label="Notes"[^>]*>.*Note\/1/s,
      );
      for (const hidden of ["Baltic", "Hidden", "Post/2", "Note/2"]) assert.not.match(select, hidden);
      const visitor = client();
      const made = await visitor.submit(`${at}/new`, { "remark[text]": "Formed", "remark[subject]": "Note/1" });
      assert.is(made.status, 303);
      const path = made.headers.get("location")!;
      assert.is(await stored(Number(path.split("/").at(-1))), "Note/1");
      const shown = await visitor.page(path);
      assert.match(shown, /<a href="\/customer\/1\/notes\/1">Note Alpine<\/a>/);
      assert.match(await visitor.page(`${path}/edit`), /<option value="Note\/1" selected>Note Alpine/);
      const wrong = await visitor.submit(`${path}/edit`, { "remark[text]": "Kept", "remark[subject]": "Post/2" });
      assert.is(wrong.status, 422);
      assert.match(await wrong.text(), "is not one of the choices");
      assert.is((await visitor.submit(`${path}/edit`, { "remark[subject]": "Post/1" })).status, 303);
      assert.match(await visitor.page(at), /<a href="\/customer\/1\/posts\/1">Post Alpine<\/a>/);
    });

    can("An edit of somebody else shows both records beside each other", async () => {
      const { id } = (await send("POST", at, { text: "Shared", subject: "Post/1" })).body.data!;
      const visitor = client();
      const edit = await visitor.page(`${at}/${id}/edit`);
      const lock_version = /name="lock_version" value="([^"]*)"/.exec(edit)![1]!;
      assert.is((await send("PATCH", `${at}/${id}`, { text: "Faster" })).status, 200);
      const late = await visitor.submit(`${at}/${id}/edit`, { lock_version, "remark[subject]": "Note/1" });
      assert.is(late.status, 409);
      const [comparison] = (await late.text()).split('<form class="fw-form"');
      assert.match(comparison!, /Post Alpine[\s\S]*Note Alpine/);
    });

    can("A search while typing finds records of each model, each with its type", async () => {
      const { body } = await client().json(`${at}/typeahead/subject?q=alp`);
      assert.equal(body.data, [
        { type: "Post", id: 1, label: "Post Alpine", value: "Post/1", group: "Posts" },
        { type: "Note", id: 1, label: "Note Alpine", value: "Note/1", group: "Notes" },
      ]);
      for (const q of ["balt", "hidden"])
        assert.not.match(JSON.stringify((await client().json(`${at}/typeahead/subject?q=${q}`)).body), /Baltic|Hidden/);
    });

    can(
      "Below a parent a record refers to it, with no field for it, and others of the same id are not there",
      async () => {
        const nested = "/customer/1/posts/1/nested_remarks";
        const page = await client().page(`${nested}/new`);
        assert.not.match(page, "remark[subject]");
        const made = await send("POST", nested, { text: "Nested", subject: "Note/1", subject_id: 2 });
        assert.is(made.status, 201, JSON.stringify(made.body));
        assert.is(await stored(made.body.data!.id), "Post/1");
        const on = await send("POST", at, { text: "On the note", subject: "Note/1" });
        const texts = (await send("GET", nested)).body.data!.map(({ text }) => text);
        assert.ok(texts.includes("Nested") && !texts.includes("On the note"));
        assert.is((await send("GET", `${nested}/${on.body.data!.id}`)).status, 404);
        const panel = await client().page("/customer/1/posts/1");
        assert.match(panel, "Nested");
        assert.not.match(panel, "On the note");
        assert.is((await send("POST", "/customer/1/notes/1/nested_remark", { text: "Second" })).status, 409);
        assert.is((await send("GET", "/customer/1/posts/2/nested_remarks")).status, 404);
      },
    );

    can(
      "Deleting what is referred to does what its model declares; a reference that leads nowhere shows as empty",
      async () => {
        const { knex } = databaseOf(app.application);
        await knex("posts").insert({ id: 7, title: "Gone soon", status: "live", organization_id: 1, author_id: 3 });
        const { id } = (await send("POST", at, { text: "On it", subject: "Post/7" })).body.data!;
        await knex("posts").where({ id: 7 }).delete();
        assert.is((await send("GET", `${at}/${id}`)).body.data!.subject, null);
        assert.is((await app.request(`${at}/${id}`, { headers: { "x-user": "1" } })).status, 200);
        const kept = await send("PATCH", `${at}/${id}`, { text: "Changed" });
        assert.is(kept.status, 200, JSON.stringify(kept.body));
        const { id: other } = (await send("POST", at, { text: "Goes along", subject: "Post/1" })).body.data!;
        assert.is((await send("DELETE", "/customer/1/notes/1")).status, 409, "a remark is on it");
        assert.is(await stored(other), "Post/1");
        await knex("attachments").delete();
        await knex("notes").where({ post_id: 1 }).delete();
        assert.is((await send("DELETE", "/customer/1/posts/1")).status, 204);
        assert.is(await knex("remarks").where({ id: other }).first(), undefined);
      },
    );
  });
}

describe("A record of one of several models, of which one can't be chosen from", (it) => {
  it("What is stored may stay, and no other record of that model can be sent or is offered", async () => {
    const policy = tenantFiles["app/policies/note_policy.ts"]!.replace(
      "  override canCreate() {",
      "  override canTypeahead() {\n    return false;\n  }\n  override canCreate() {",
    );
    const app = await openTenants(remarkFiles("", { "app/policies/note_policy.ts": policy }));
    const { knex } = databaseOf(app.application);
    await knex("notes").insert({ id: 5, title: "Another note", post_id: 1 });
    await knex("remarks").insert({ id: 1, text: "Stored", subject_type: "Note", subject_id: 1, organization_id: 1 });
    const send = async (subject: string, method = "PATCH", path = `${at}/1`) =>
      (await app.request(path, { method, headers: byAnn, body: JSON.stringify({ remark: { subject } }) })).status;
    assert.equal([await send("Note/1"), await send("Note/5"), await send("Note/5", "POST", at)], [200, 422, 422]);
    const form = await new Ann(app.url).page(`${at}/1/edit`);
    assert.match(form, /<option value="Note\/1" selected>/);
    assert.not.match(form, "Note/5");
    assert.is(await send("Post/1"), 200);
    assert.is(await send("Note/1"), 422);
    assert.not.match(await new Ann(app.url).page(`${at}/new`), "Note/1");
    await app.close();
  });
});

describe("A record of one of several models, at boot", (it) => {
  const refusal = async (files: Record<string, string>): Promise<string> => {
    try {
      await (await openTenants(files)).close();
    } catch (error) {
      return (error as Error).message;
    }
    return assert.unreachable("it was accepted") as never;
  };

  it("A form that lists half of a reference is refused, and so is one to a model outside of the tenant", async () => {
    const half = { "app/policies/remark_policy.ts": remarkPolicy('"text", "subject_id"') };
    assert.match(
      await refusal(remarkFiles("", half)),
      /"subject_id", a column of the polymorphic association "subject"/,
    );
    const outside = remarkFiles();
    const model = outside["app/models/remark.ts"]!.replace('["Post", "Note"]', '["Post", "Note", "Tip"]');
    const tip =
      'import { Model } from "framewright/plugins/database"; export default class Tip extends Model("tips") {}';
    const files = { ...outside, "app/models/remark.ts": model, "app/models/tip.ts": tip };
    assert.match(await refusal(files), /"subject".*Tip/s);
  });

  it("Choices, filters and sorts by it are refused by name", async () => {
    assert.match(await refusal(remarkFiles('this.input("subject", { choices: ["a"] });')), "which is polymorphic");
    assert.match(await refusal(remarkFiles('this.filter("subject");')), '"subject" (polymorphic)');
    assert.match(await refusal(remarkFiles('this.sort("subject");')), "subject");
  });
});
