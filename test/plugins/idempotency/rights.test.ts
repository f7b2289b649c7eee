import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { idempotencyFiles, Program } from "./idempotency_app.ts";

const posts = "/customer/1/posts";
const titled = (title: string) => ({ post: { title } });
/** What somebody may read depends on what they are called now. */
const files: Record<string, string> = {
  ...idempotencyFiles,
  "app/policies/post_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class PostPolicy extends Policy<any> {
  get is() { return String((this.user as any)?.name); }
  override canRead() { return this.is !== "None"; } override canCreate() { return true; } canPublish() { return this.record?.status !== "live"; }
  override permittedAttributesForCreate() { return ["title", "status"]; }
  override permittedAttributesForRead() { return this.is === "Less" ? ["title"] : ["title", "status"]; }
}`,
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Requests that are sent again by who may read less, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const knex = () => databaseOf(app.application).knex;
    const called = (name: string) => knex()("users").where({ id: 1 }).update({ name });
    const send = (path: string, body: object, key: string) => new Program(app.url, 1).send(path, body, key);

    can("An answer with what the person may not read any more is not sent again", async () => {
      const first = await send(posts, titled("Rights"), "rights");
      assert.match(first.text, '"status"');
      await called("Less");
      const less = await send(posts, titled("Rights"), "rights");
      assert.equal([less.status, less.headers.get("location")], [303, first.headers.get("location")]);
      assert.is(less.text, "");
      await called("None");
      const none = await send(posts, titled("Rights"), "rights");
      assert.equal([none.status, none.body.code], [409, "FW_IDEMPOTENCY_LOST"]);
      await called("Ann");
      const again = await send(posts, titled("Rights"), "rights");
      assert.equal([again.status, again.text], [201, first.text]);
      await knex()("posts").where({ title: "Rights" }).delete();
      assert.is((await send(posts, titled("Rights"), "rights")).status, 409, "the record is gone");
      assert.is((await knex()("posts").where({ title: "Rights" })).length, 0);
    });

    can("Nor is one whose process ended before it was sent", async () => {
      const first = await send(posts, titled("Ended"), "ended");
      assert.is(first.status, 201, first.text);
      const ended = { state: "stored", started_at: "2020-01-01 00:00:00.000" };
      await knex()("framewright_idempotency").update(ended);
      await called("None");
      const none = await send(posts, titled("Ended"), "ended");
      assert.equal([none.status, none.body.code], [409, "FW_IDEMPOTENCY_LOST"]);
      await called("Ann");
      assert.is((await send(posts, titled("Ended"), "ended")).headers.get("idempotency-replayed"), "true");
    });

    can("Of an action neither, though its policy denies it once it is done", async () => {
      const { body } = await send(posts, titled("Act"), "for the action");
      const at = `${posts}/${body.data!.id}/actions/publish`;
      const first = await send(at, {}, "act");
      assert.is(first.status, 200, first.text);
      await knex()("posts").where({ title: "Act" }).update({ status: "live" }); // as of what the action has done
      const again = await send(at, {}, "act");
      assert.equal([again.status, again.text], [200, first.text]);
      await called("None");
      assert.is((await send(at, {}, "act")).status, 409);
      await called("Ann");
    });
  });
}
