import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { heard, openBulkCreate } from "./bulk_create_app.ts";

type Row = Record<string, unknown> & { id: number; title: string };
interface Outcome {
  status: number;
  data?: Row;
  location?: string;
  errors?: Record<string, string[]>;
}
interface Body {
  data: Row[] & Outcome[] & Record<string, unknown>;
  meta: { total?: number; created?: number; failed?: number; ignored?: string[] };
  errors?: Record<string, string[]>;
  code?: string;
}
interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}
const posts = "/customer/1/posts";
const titled = (...titles: unknown[]) => ({ post: titles.map((title) => ({ title })) });

for (const database of await databases({ withPostgres: true })) {
  describe(`Several records by one request, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openBulkCreate(await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("comments").where("post_id", ">", 2).delete();
        await knex()("posts").where("id", ">", 2).delete();
        heard.created = [];
        await story();
      });
    const send = async (
      id: number,
      path: string,
      body: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer> => {
      const answer = await app.request(path, {
        method: "POST",
        headers: { "x-user": String(id), accept: "application/json", "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, text, body: (text ? JSON.parse(text) : {}) as Body };
    };
    const each = { prefer: "continue-on-error" };
    const stored = async () =>
      (await knex()("posts").where("id", ">", 2).orderBy("id")).map(({ title }) => String(title));

    can("All of them are created, each as a request of its own would have it", async () => {
      const sent = {
        post: [
          { title: "A", author: 3 },
          { title: "B", nme: 1, organization_id: 2 },
          { title: "C", code: "c" },
        ],
      };
      const { status, body, text } = await send(1, posts, sent);
      assert.is(status, 201, text);
      assert.equal(
        body.data.map(({ title, code }) => [title, code]),
        [
          ["A", null],
          ["B", null],
          ["C", "c"],
        ],
      );
      assert.equal(body.data[0]!.author, { id: 3, label: "Cat" });
      assert.equal(body.meta, { total: 3, ignored: ["1.nme", "1.organization_id"] });
      assert.equal(await stored(), ["A", "B", "C"]);
      assert.equal(
        (await knex()("posts").where("id", ">", 2)).map(({ organization_id }) => Number(organization_id)),
        [1, 1, 1],
      );
      assert.equal(
        heard.created,
        ["A", "B", "C"].map((title) => ({ title, stored: 5 })),
      );
      const entries = await knex()("framewright_history").where({ model: "Post", kind: "created" }).orderBy("id");
      assert.equal(
        entries.slice(-3).map(({ record, person_id, means }) => [record, person_id, means]),
        body.data.map(({ id }) => [String(id), "1", "bulk"]),
      );
      const nested = await send(1, `${posts}/${body.data[0]!.id}/nested_comments`, {
        comment: [{ title: "X" }, { title: "Y" }],
      });
      assert.is(nested.status, 201, nested.text);
      assert.equal(
        nested.body.data.map(({ post }) => (post as Row).id),
        [body.data[0]!.id, body.data[0]!.id],
      );
      assert.is((await send(1, posts, { post: { title: "One" } })).status, 201);
    });

    can("One that is refused keeps all of them from being created, and each is named by its index", async () => {
      const { status, body, text } = await send(1, posts, titled("A", "", "x".repeat(41), "D"));
      assert.equal([status, Object.keys(body.errors ?? {})], [422, ["1.title", "2.title"]], text);
      const twice = await send(1, posts, {
        post: [{ title: "A", code: "same" }, { title: "B", code: "same" }, { title: "C" }],
      });
      assert.equal([twice.status, Object.keys(twice.body.errors ?? {})], [422, ["1.code"]], twice.text);
      const foreign = await send(1, "/customer/1/comments", {
        comment: [
          { title: "A", post: 1 },
          { title: "B", post: 2 },
        ],
      });
      assert.equal([foreign.status, Object.keys(foreign.body.errors ?? {})], [422, ["1.post"]], foreign.text);
      const forbidden = await send(1, posts, titled("A", "Forbidden"));
      assert.equal([forbidden.status, Object.keys(forbidden.body.errors ?? {})], [422, ["1.base"]], forbidden.text);
      const strict = await send(
        1,
        posts,
        { post: [{ title: "A" }, { title: "B", colour: 1 }] },
        { prefer: "handling=strict" },
      );
      assert.equal([strict.status, Object.keys(strict.body.errors ?? {})], [422, ["1.colour"]], strict.text);
      assert.equal([await stored(), heard.created], [[], []]);
    });

    can("With continue-on-error each is created by itself, and the answer says what became of it", async () => {
      const sent = {
        post: [
          { title: "A", code: "one" },
          { title: "" },
          { title: "B", code: "one" },
          { title: "Forbidden" },
          { title: "C", nme: 1 },
        ],
      };
      const { status, headers, body, text } = await send(1, posts, sent, each);
      assert.equal([status, headers.get("preference-applied")], [207, "continue-on-error"], text);
      assert.equal(
        body.data.map((one) => one.status),
        [201, 422, 422, 403, 201],
      );
      assert.equal(body.meta, { created: 2, failed: 3 });
      assert.equal([Object.keys(body.data[1]!.errors!), Object.keys(body.data[2]!.errors!)], [["title"], ["code"]]);
      assert.is(body.data[0]!.location, `${posts}/${(body.data[0]!.data as unknown as Row).id}`);
      assert.equal((body.data[4] as unknown as { ignored: string[] }).ignored, ["nme"]);
      assert.equal(await stored(), ["A", "C"]);
      assert.equal(
        heard.created!.map(({ title }) => title),
        ["A", "C"],
      );
    });

    can("What is no list of so many records is refused, and who may not create creates none", async () => {
      const refusals: [unknown, RegExp][] = [
        [[], /at least one/],
        [Array.from({ length: 21 }, () => ({ title: "A" })), /20 records at most, and got 21/],
        [[{ title: "A" }, 5], /"1":\["has the wrong shape"\]/],
        [[null], /"0"/],
        [[[{ title: "A" }]], /"0"/],
      ];
      for (const [post, text] of refusals) {
        const answer = await send(1, posts, { post });
        assert.is(answer.status, 422, answer.text);
        assert.match(answer.text, text);
      }
      const bomb = Array.from({ length: 10_000 }, () => ({ title: "A" }));
      assert.is((await send(1, posts, { post: bomb })).status, 413);
      assert.is((await send(3, posts, titled("A"))).status, 403);
      assert.is((await send(3, posts, titled("A"), each)).status, 403);
      assert.is((await send(2, posts, titled("A"))).status, 404); // not his tenant
      const own = await send(1, "/customer/1/notes", { note: [{ title: "A", post: 1 }] });
      assert.equal([own.status, own.body.code], [422, "FW_INVALID"], own.text); // an action of the application's own takes one
      const odd = await send(1, posts, { post: [{ title: { no: "text" } }, { title: ["x"] }, { title: "\u0000" }] });
      assert.is(odd.status, 422, odd.text);
      assert.equal(await stored(), []);
    });

    can("A key has them created once, and its answer is sent again while all of it may be read", async () => {
      const key = { "idempotency-key": "several" };
      const first = await send(1, posts, titled("A", "B"), key);
      assert.is(first.status, 201, first.text);
      const again = await send(1, posts, titled("A", "B"), key);
      assert.equal([again.status, again.text, again.headers.get("idempotency-replayed")], [201, first.text, "true"]);
      assert.is((await send(1, posts, titled("A", "C"), key)).status, 422);
      const refused = await send(1, posts, titled("D", ""), { "idempotency-key": "refused" });
      assert.is(refused.status, 422);
      assert.is((await send(1, posts, titled("D", "E"), { "idempotency-key": "refused" })).status, 201);
      const one = { ...each, "idempotency-key": "each" };
      const [some, same] = [
        await send(1, posts, titled("F", "", "G"), one),
        await send(1, posts, titled("F", "", "G"), one),
      ];
      assert.equal([some.status, same.status, same.text], [207, 207, some.text]);
      assert.equal(await stored(), ["A", "B", "D", "E", "F", "G"]);
      await knex()("posts").where({ title: "F" }).update({ organization_id: 2 });
      const moved = await send(1, posts, titled("F", "", "G"), one);
      assert.equal([moved.status, moved.body.code], [409, "FW_IDEMPOTENCY_LOST"], moved.text); // one is out of sight
      await knex()("posts").where({ id: first.body.data[1]!.id }).delete();
      const lost = await send(1, posts, titled("A", "B"), key);
      assert.equal([lost.status, lost.body.code], [409, "FW_IDEMPOTENCY_LOST"], lost.text);
      const parallel = await Promise.all(
        Array.from({ length: 8 }, () => send(1, posts, titled("P", "Q"), { "idempotency-key": "parallel" })),
      );
      assert.ok(
        parallel.every(({ status }) => status === 201 || status === 409),
        parallel.map(({ status, text }) => `${status} ${text}`).join(),
      );
      assert.equal(
        (await stored()).filter((title) => title === "P" || title === "Q"),
        ["P", "Q"],
      );
    });

    const ended = async (answer: Answer) => {
      for (let tries = 0; tries < 400; tries++) {
        const shown = await app.request(answer.headers.get("location")!, {
          headers: { "x-user": "1", accept: "application/json" },
        });
        const { data } = (await shown.json()) as {
          data: { state: string; done: number; failed: number; problems: { record: string }[] };
        };
        if (!["waiting", "running"].includes(data.state)) return data;
        await sleep(25);
      }
      throw new Error("the run did not end in 10 s");
    };
    can("With respond-async a run in the background creates them, of more than a request does", async () => {
      const later = { prefer: "respond-async" };
      const many = Array.from({ length: 45 }, (_, at) => `Later ${at}`);
      const all = await send(1, posts, titled(...many), later);
      assert.equal([all.status, all.headers.get("preference-applied")], [202, "respond-async"], all.text);
      const { state, done, failed } = await ended(all);
      assert.equal([state, done, failed], ["done", 45, 0]);
      assert.equal([await stored(), heard.created!.length], [many, 45]);
      const none = await ended(await send(1, posts, titled("A", "", "C"), later));
      assert.equal(
        [none.state, none.done, none.failed, none.problems.map(({ record }) => record)],
        ["failed", 0, 3, ["1"]],
      );
      const some = await ended(
        await send(1, posts, titled("A", "", "Forbidden", "C"), { prefer: "respond-async, continue-on-error" }),
      );
      assert.equal(
        [some.state, some.done, some.failed, some.problems.map(({ record }) => record)],
        ["done", 2, 2, ["1", "2"]],
      );
      assert.equal((await stored()).slice(45), ["A", "C"]);
      const page = await (
        await app.request(all.headers.get("location")!, { headers: { "x-user": "1", accept: "text/html" } })
      ).text();
      assert.match(page, /45 records were created/);
      assert.is((await send(1, posts, titled(...many, ...many), later)).status, 422);
      assert.is(
        (await app.request(all.headers.get("location")!, { headers: { "x-user": "3", accept: "application/json" } }))
          .status,
        404,
      );
      assert.is((await send(3, posts, titled("A"), later)).status, 403);
    });
  });
}
