import type { ModelClass } from "framewright/plugins/database";
import type { TestApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf } from "../support/shop.ts";
import { Client } from "../testing/client.ts";
import { openAudited } from "./fw_audit_app.ts";
import { installed, publish } from "./publish.ts";

// The packed plugin in an application with tenants: what every writer leaves, and who sees it.

const published = publish("fw-audit");

class Person extends Client {
  readonly #id: number;

  constructor(url: string, id: number) {
    super(url);
    this.#id = id;
  }
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    return super.request(path, { ...init, headers: { ...(init.headers as object), "x-user": String(this.#id) } });
  }
  send(path: string, method: string, body: object = {}): Promise<Response> {
    const headers = { accept: "application/json", "content-type": "application/json" };
    return this.request(path, { method, headers, body: JSON.stringify(body) });
  }
}

for (const database of await databases()) {
  describe(`An application with fw-audit, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAudited(installed("fw-audit", (await published).unpacked), await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const posts = (): ModelClass => databaseOf(app.application).model("Post").class;
    /** As code of the application changes a post. */
    const patch = (id: number, values: object) =>
      posts()
        .query()
        .findById(id)
        .patch(values as never);
    const at = "/customer/1/posts/1";
    const [ann, bob, cat] = [1, 2, 3].map((id) => () => new Person(app.url, id)) as [
      () => Person,
      () => Person,
      () => Person,
    ];
    const lines = async () => {
      const rows = await databaseOf(app.application).knex("audit_lines").orderBy("id");
      return rows.map((row) => ({ ...row, changes: JSON.parse(row.changes) }));
    };
    const taken = async () => {
      const found = await lines();
      await databaseOf(app.application).knex("audit_lines").delete();
      return found;
    };
    const title = (line: { changes: { title: { from: unknown; to: unknown } } }) => [
      line.changes.title.from,
      line.changes.title.to,
    ];

    can("A form, JSON, an interaction, a wizard, a job and code each leave one line, with who did it", async () => {
      const byAnn = { person: "User/1", portal: "CustomerPortal", wizard: null, job: null, tenant: "Organization/1" };
      const one = async (from: string | null, to: string, by: object) => {
        const [line, ...more] = await taken();
        assert.equal([more.length, title(line!)], [0, [from, to]]);
        assert.equal({ ...line, ...by }, line);
      };
      assert.is((await ann().submit(`${at}/edit`, { "post[title]": "By the form" })).status, 303);
      await one("Post Alpine", "By the form", byAnn);
      assert.is((await ann().send(at, "PATCH", { post: { title: "By JSON" } })).status, 200);
      await one("By the form", "By JSON", byAnn);
      assert.is((await ann().send(`${at}/actions/publish`, "POST")).status, 200);
      await one("By JSON", "By the interaction", byAnn);
      const client = ann();
      const step = (await client.request(`${at}/wizards/rename`)).headers.get("location")!;
      assert.is((await client.submit(step, { "wizard[title]": "By the wizard" })).status, 303);
      await one("By the interaction", "By the wizard", { ...byAnn, wizard: "RenameWizard" });
      const jobs = app.application.kernel.service("jobs");
      await jobs.enqueue("rename", {});
      await jobs.drain();
      await one("By the wizard", "By the job", { person: null, portal: null, job: "rename", tenant: "Organization/1" });
      await patch(1, { title: "By code" });
      await one("By the job", "By code", { person: null, portal: null, job: null, tenant: "Organization/1" });
      const attachments = databaseOf(app.application).model("Attachment").class as ModelClass;
      await attachments
        .query()
        .findById(2)
        .patch({ name: "Below a comment" } as never);
      await attachments.query().findById(2).delete();
      assert.equal(
        (await taken()).map(({ kind, tenant }) => [kind, tenant]),
        [
          ["updated", "Organization/2"],
          ["deleted", "Organization/2"],
        ],
      );
    });

    can("Another package that taps audit.recorded hears of each, in its transaction", async () => {
      const { knex } = databaseOf(app.application);
      await knex("lines").delete();
      await patch(2, { title: "Heard" });
      const heard = await knex("lines").select("kind", "now", "post");
      assert.equal(
        heard.map(({ kind, now, post }) => [kind, now, Number(post)]),
        [["updated", "Post", 2]],
      );
      await databaseOf(app.application)
        .transaction(async (transaction) => {
          await posts()
            .query(transaction)
            .findById(2)
            .patch({ title: "Undone" } as never);
          throw new Error("no");
        })
        .catch(() => undefined);
      assert.is((await knex("lines")).length, 1);
      assert.is((await taken()).length, 1);
    });

    can(
      "The panel and the page show a person's own tenant, what the policy permits, and nothing to others",
      async () => {
        await ann().send(at, "PATCH", { post: { title: "Alpine secret" } });
        await cat().send("/customer/2/posts/2", "PATCH", { post: { title: "Baltic secret" } });
        assert.match(await ann().page(at), "Alpine secret");
        assert.match(await ann().page(at), /panel-audit[\s\S]*User 1: changed[\s\S]*→ Alpine secret/);
        await patch(1, { category_id: null, author_id: 1 });
        assert.equal(Object.keys((await lines()).at(-1)!.changes).sort(), ["author_id", "category_id"]);
        assert.match(await ann().page(at), /panel-audit[\s\S]*author_id: 3 → 1/);
        assert.not.match(await ann().page(at), /panel-audit[\s\S]*category_id/);
        assert.match(await ann().page(at), '"/customer/1/trail"');
        const page = await ann().page("/customer/1/trail");
        assert.match(page, /User 1: changed/);
        assert.not.match(page, "Post 2");
        const json = await ann().json("/customer/1/trail");
        assert.equal(
          (json.body.data as { record: string; changes?: object }[]).map(({ record, changes }) => [record, changes]),
          [
            ["1", undefined],
            ["1", undefined],
          ],
        );

        const refused = bob();
        assert.is((await refused.request("/customer/2/trail")).status, 403);
        assert.not.match(await refused.page("/customer/2/posts/2"), /panel-audit|\/trail/);
        assert.is((await refused.request("/customer/1/trail")).status, 404);
        assert.is((await ann().request("/customer/2/trail")).status, 404);
        for (const path of ["/customer/1/trail", "/guest/1/trail"])
          assert.is((await app.request(path, { headers: { accept: "application/json" } })).status, 401, path);
        const open = await app.client().page("/guest/1/posts/1");
        assert.match(open, "Alpine secret");
        assert.not.match(open, /panel-audit|\/trail/);
        await taken();
      },
    );

    can(
      "A record that the policy or its scope withholds, one that moved, and a model of all tenants are on no page",
      async () => {
        const ids = async (id: number, who: () => Person) =>
          ((await who().json(`/customer/${id}/trail`)).body.data as { record: string }[]).map(({ record }) => record);
        await ann().send(at, "PATCH", { post: { title: "Sealed" } });
        assert.equal(await ids(1, ann), []);
        await ann().send(at, "PATCH", { post: { title: "Open" } });
        assert.equal(await ids(1, ann), ["1", "1"]);
        await patch(1, { status: "hidden" });
        assert.equal(await ids(1, ann), []);
        await patch(1, { status: "live" });
        assert.is((await ids(1, ann)).length, 4);
        await patch(1, { organization_id: 2 });
        assert.equal([await ids(1, cat), await ids(2, cat)], [[], []]);
        await patch(1, { organization_id: 1 });
        await databaseOf(app.application).insert(databaseOf(app.application).model("Category").class, { name: "New" });
        assert.is(
          (await lines()).some(({ model }) => model === "Category"),
          false,
        );
        await taken();
        const made = await ann().send("/customer/1/posts", "POST", { post: { title: "Short-lived" } });
        const { id } = ((await made.json()) as { data: { id: number } }).data;
        assert.is((await ann().send(`/customer/1/posts/${id}`, "DELETE")).status, 204);
        assert.equal(await ids(1, ann), [String(id), String(id)]);
        assert.equal(await ids(2, cat), []);
      },
    );

    can("Lines that are older than keepDays are removed by the job", async () => {
      const { knex } = databaseOf(app.application);
      await taken();
      const line = { kind: "created", model: "Post", record: "1", changes: "{}" };
      await knex("audit_lines").insert([
        { ...line, at: "2020-01-01T00:00:00.000Z" },
        { ...line, at: new Date().toISOString() },
      ]);
      const jobs = app.application.kernel.service("jobs");
      await jobs.enqueue("audit:prune", {});
      await jobs.drain();
      assert.is((await lines()).length, 1);
    });
  });
}
