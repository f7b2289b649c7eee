import type { BaseModel, Database, ModelClass } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { openTenants } from "../scoping/tenants.ts";
import { changesFiles } from "./changes_app.ts";

class Ann extends Client {
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    return super.request(path, { ...init, headers: { ...(init.headers as object), "x-user": "1" } });
  }
}

for (const database of await databases()) {
  describe(`The changes of a record by every writer, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(changesFiles, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const service = (): Database => app.application.kernel.service("database");
    const posts = () => service().model("Post").class as ModelClass;
    /** The lines since the last call. */
    const taken = async () => {
      const { knex } = databaseOf(app.application);
      const lines = await knex("lines").orderBy("id");
      await knex("lines").delete();
      return lines.map(({ id: _, post, user_id, ...rest }) => ({
        ...rest,
        post: Number(post),
        user_id: user_id && Number(user_id),
      }));
    };
    const byAnn = { user_id: 1, portal: "CustomerPortal", wizard: null, job: null };
    const byNobody = { user_id: null, portal: null, wizard: null, job: null };
    const at = "/customer/1/posts/1";
    const renamed = (old: string, now: string, by: object) => [
      { kind: "updated", post: 1, names: "title", old, now, ...by },
    ];
    const json = (path: string, method: string, body?: object) =>
      app.request(path, {
        method,
        headers: { "x-user": "1", accept: "application/json", "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });

    can("A form, JSON, an interaction, a wizard, a job and code each leave one line, with who did it", async () => {
      const client = new Ann(app.url);
      assert.is((await client.submit(`${at}/edit`, { "post[title]": "By the form" })).status, 303);
      assert.equal(await taken(), renamed("Post Alpine", "By the form", byAnn));
      assert.is((await json(at, "PATCH", { post: { title: "By JSON" } })).status, 200);
      assert.equal(await taken(), renamed("By the form", "By JSON", byAnn));
      assert.is((await json(`${at}/actions/publish`, "POST", {})).status, 200);
      assert.equal(await taken(), renamed("By JSON", "By the interaction", byAnn));
      const step = (await client.request(`${at}/wizards/rename`)).headers.get("location")!;
      assert.is((await client.submit(step, { "wizard[title]": "By the wizard" })).status, 303);
      assert.equal(await taken(), renamed("By the interaction", "By the wizard", { ...byAnn, wizard: "RenameWizard" }));
      const jobs = app.application.kernel.service("jobs");
      await jobs.enqueue("rename", {});
      await jobs.drain();
      assert.equal(await taken(), renamed("By the wizard", "By the job", { ...byNobody, job: "rename" }));
      await posts()
        .query()
        .patch({ title: "By code" } as never)
        .where("id", 1);
      assert.equal(await taken(), renamed("By the job", "By code", byNobody));
      const made = await json("/customer/1/posts", "POST", { post: { title: "New" } });
      const { id } = ((await made.json()) as { data: { id: number } }).data;
      const [created] = await taken();
      assert.equal([created!.kind, created!.post, created!.old, created!.now], ["created", id, null, "New"]);
      assert.is((await json(`/customer/1/posts/${id}`, "DELETE")).status, 204);
      const [deleted] = await taken();
      assert.equal([deleted!.kind, deleted!.post, deleted!.now, deleted!.user_id], ["deleted", id, "New", 1]);
    });

    can("What is refused or rolled back leaves no line, and a failing listener changes no answer", async () => {
      assert.is((await json(at, "PATCH", { post: { title: { a: 1 } } })).status, 422);
      assert.is((await json("/customer/1/posts/2", "PATCH", { post: { title: "Foreign" } })).status, 404);
      await service()
        .transaction(async (transaction) => {
          await posts()
            .query(transaction)
            .findById(1)
            .patch({ title: "Undone" } as never);
          throw new Error("no");
        })
        .catch(() => undefined);
      assert.equal(await taken(), []);
      assert.is((await json(at, "PATCH", { post: { title: "Broken" } })).status, 200);
      assert.equal(((await posts().query().findById(1)) as unknown as BaseModel & { title: string }).title, "Broken");
      assert.is((await taken()).length, 1);
    });

    can("Parallel requests are told apart", async () => {
      const send = (user: number, id: number, title: string) =>
        app.request(`/customer/${user}/posts/${id}`, {
          method: "PATCH",
          headers: { "x-user": String(user), accept: "application/json", "content-type": "application/json" },
          body: JSON.stringify({ post: { title } }),
        });
      await Promise.all(
        Array.from({ length: 40 }, (_, at) => send((at % 2) + 1, (at % 2) + 1, `${(at % 2) + 1} ${at}`)),
      );
      const lines = await taken();
      assert.is(lines.length, 40);
      for (const { user_id, post, now } of lines) assert.equal([user_id, post], [Number(now[0]), Number(now[0])]);
    });
  });
}
