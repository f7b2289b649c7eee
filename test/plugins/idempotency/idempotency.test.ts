import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { idempotencyFiles, Program } from "./idempotency_app.ts";

const posts = "/customer/1/posts";
const titled = (title: string) => ({ post: { title } });

for (const database of await databases({ withPostgres: true })) {
  describe(`Requests that are sent again, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(idempotencyFiles, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const knex = () => databaseOf(app.application).knex;
    const [ann, bob, cat] = [1, 2, 3].map((id) => () => new Program(app.url, id)) as (() => Program)[] as [
      () => Program,
      () => Program,
      () => Program,
    ];
    const count = async (title: string) => (await knex()("posts").where({ title })).length;
    const rows = () => knex()("framewright_idempotency");

    can("A record is created once, and each request with the key gets the first answer", async () => {
      const first = await ann().send(posts, titled("Once"), "key 1");
      assert.is(first.status, 201, first.text);
      assert.is(first.headers.get("idempotency-replayed"), null);
      for (const again of [
        await ann().send(posts, titled("Once"), "key 1"),
        await ann().send(posts, titled("Once"), "key 1"),
      ]) {
        assert.equal([again.status, again.text], [201, first.text]);
        assert.equal(
          ["location", "content-type", "etag", "idempotency-replayed"].map((name) => again.headers.get(name)),
          [...["location", "content-type", "etag"].map((name) => first.headers.get(name)), "true"],
        );
      }
      assert.is(await count("Once"), 1);
      const stored = JSON.stringify(await rows());
      assert.not.match(stored, /Once|key 1/); // what was answered is sealed, and a key is a digest
    });

    can("Of fifty at once one is carried out", async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ann().send(posts, titled("Slow"), "fifty")));
      const of = (status: number) => answers.filter((one) => one.status === status);
      assert.is(of(201).length >= 1, true, answers.map(({ status }) => status).join());
      assert.is(of(201).length + of(409).length, 50, answers.map(({ status, text }) => `${status} ${text}`).join("\n"));
      assert.is(new Set(of(201).map(({ text }) => text)).size, 1);
      for (const { body, headers } of of(409))
        assert.equal([body.code, headers.get("retry-after")], ["FW_IDEMPOTENCY_RUNNING", "1"]);
      assert.is(await count("Slow"), 1);
      assert.is((await ann().send(posts, titled("Slow"), "fifty")).status, 201);
      assert.is(await count("Slow"), 1);
    });

    can("The key is of one person, place and body", async () => {
      assert.is((await ann().send(posts, titled("Mine"), "shared")).status, 201);
      const other = await ann().send(posts, titled("Other"), "shared");
      assert.equal([other.status, other.body.code], [422, "FW_IDEMPOTENCY_REUSED"]);
      const reordered = await ann().send(posts, { post: { title: "Mine" } }, "shared");
      assert.is(reordered.headers.get("idempotency-replayed"), "true");
      const cats = await cat().send(posts, titled("Mine"), "shared");
      assert.equal([cats.status, cats.headers.get("idempotency-replayed")], [201, null]);
      const baltic = await cat().send("/customer/2/posts", titled("Mine"), "shared");
      assert.equal([baltic.status, baltic.headers.get("idempotency-replayed")], [201, null]);
      assert.is((await bob().send(posts, titled("Mine"), "shared")).status, 404); // not his tenant
      assert.is(await count("Mine"), 3);
      assert.is(await count("Other"), 0);
    });

    can("What was refused may be sent again with the same key", async () => {
      const refused = await ann().send(posts, { post: { title: { no: "text" } } }, "again");
      assert.is(refused.status, 422);
      assert.is((await ann().send(posts, titled("Corrected"), "again")).status, 201);
      assert.is((await ann().send(posts, titled("Corrected"), "again")).headers.get("idempotency-replayed"), "true");
      assert.is(await count("Corrected"), 1);
    });

    can("Actions are carried out once", async () => {
      const { body } = await ann().send(posts, titled("To act on"), "act");
      const at = `${posts}/${body.data!.id}/actions/publish`;
      const first = await ann().send(at, {}, "act");
      assert.is(first.status, 200, first.text);
      const again = await ann().send(at, {}, "act");
      assert.equal([again.text, again.headers.get("idempotency-replayed")], [first.text, "true"]);
    });

    can("The portal's document names the header at each POST", async () => {
      const headers = { "x-user": "1", accept: "application/json" };
      const document = await (await ann().request("/customer/1/openapi.json", { headers })).json();
      const { paths, components } = document as {
        paths: Record<string, Record<string, { parameters?: object[]; responses: object }>>;
        components: { parameters: Record<string, { name: string }> };
      };
      assert.is(components.parameters.IdempotencyKey!.name, "Idempotency-Key");
      const posts = Object.values(paths).flatMap(({ post }) => post ?? []);
      assert.ok(posts.length > 2);
      for (const { parameters, responses } of posts) {
        assert.match(JSON.stringify(parameters), "#/components/parameters/IdempotencyKey");
        for (const status of ["303", "409", "422"]) assert.ok(status in responses, status);
      }
      const others = Object.values(paths).flatMap(({ post: _, ...rest }) => Object.values(rest));
      assert.not.match(JSON.stringify(others), "IdempotencyKey");
    });

    can("A key that is none is refused, and without one each request is carried out", async () => {
      for (const key of ["", "x".repeat(256), "a\tb"]) {
        const answer = await ann().send(posts, titled("No key"), key);
        assert.equal([answer.status, answer.body.code], [400, "FW_IDEMPOTENCY_KEY"], key);
      }
      assert.is(await count("No key"), 0);
      for (let time = 0; time < 2; time++) assert.is((await ann().send(posts, titled("No key"))).status, 201);
      assert.is(await count("No key"), 2);
    });

    can("One that is not answered for long is taken over, and old ones are deleted", async () => {
      assert.is((await ann().send(posts, titled("Taken over"), "over")).status, 201);
      const [{ id }] = await rows().orderBy("id", "desc").limit(1);
      await rows().where({ id }).update({ state: "running", answer: null });
      assert.is((await ann().send(posts, titled("Taken over"), "over")).status, 409);
      await rows().where({ id }).update({ started_at: "2020-01-01 00:00:00.000" });
      const again = await ann().send(posts, titled("Taken over"), "over");
      assert.equal([again.status, again.headers.get("idempotency-replayed")], [201, null]);
      await rows().where({ id }).update({ answer: null });
      const lost = await ann().send(posts, titled("Taken over"), "over");
      assert.equal([lost.status, lost.body.code], [409, "FW_IDEMPOTENCY_LOST"]);
    });
  });
}
