import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { accountFiles, openTenants, signedIn, tenantFiles } from "../scoping/tenants.ts";
import { Events, until } from "./live_app.ts";

// Ann and Cat with accounts. A heartbeat comes each second, since the deadline of requests is short.

const posts = "/customer/1/posts";
const definition = "app/definitions/post_definition.ts";
const files = (call: string, live = true) => ({
  ...accountFiles,
  "plugins.config.ts": edited(
    accountFiles,
    "plugins.config.ts",
    ["import standard from", 'import { live } from "framewright/plugins/live"; import standard from'],
    ["...standard, widening", `...standard, ${call}, widening`],
  ),
  [definition]: edited(
    tenantFiles,
    definition,
    ["super.configure();", `super.configure(); this.live(${live});`],
    [/^import /, 'import type {} from "framewright/plugins/live";\nimport '],
  ),
});
const short = { REQUEST_DEADLINE: "1500", REQUEST_TIMEOUT: "1500" };

describe("Streams of people with accounts", (it, { before, after }) => {
  let app: TestApp;
  let people: Awaited<ReturnType<typeof signedIn>>;
  before(async () => {
    app = await openTenants(files("live({ streams: 6, perPerson: 2 })"), short);
    people = await signedIn(app);
  });
  after(() => app?.close());
  const open = (who: "ann" | "cat", path = `${posts}/_live`) => Events.open(app, path, people[who]);
  const sessions = () => databaseOf(app.application).knex("user_active_session_keys");

  it("A stream outlives the deadline of requests, is no use of the session, and ends when that is ended", async () => {
    const long = new Date(Date.now() - 600_000);
    await sessions().where({ account_id: 1 }).update({ last_use: long });
    const used = async () => new Date((await sessions().where({ account_id: 1 }).first("last_use")).last_use).getTime();
    const before = await used();
    const events = await open("ann");
    assert.is(events.status, 200);
    await until(() => events.names.filter((name) => name === "beat").length >= 3, "three heartbeats", 6000);
    assert.ok(!events.hasEnded);
    const read = await app.request(posts, { headers: { ...people.ann, "x-sec-purpose": "prefetch;follow" } });
    assert.is(read.status, 200);
    assert.is(await used(), before);
    await app.request(posts, { headers: people.ann });
    assert.ok((await used()) > before, "what a person opens is a use");
    const out = await app.request("/users/logout", { method: "POST", headers: people.ann });
    assert.is(out.status, 303);
    await events.ended();
    assert.is(events.names.at(-1), "end");
    assert.ok((await open("ann")).status >= 300);
  });

  it("There are as many streams as there may be: one more is 503, until one is closed", async () => {
    const [first, second] = [await open("cat"), await open("cat", `${posts}/1/_live`)];
    assert.equal([first.status, second.status], [200, 200]);
    const third = await open("cat");
    assert.is(third.status, 503);
    assert.match(third.headers["retry-after"]!, /^\d+$/);
    first.close();
    await until(async () => {
      const again = await open("cat");
      again.close();
      return again.status === 200;
    }, "room for one");
    second.close();
  });
});

describe("A resource that nobody follows", (it) => {
  it("live(false) leaves no route, no script and no text of it on its pages", async () => {
    const app = await openTenants(files("live()", false));
    try {
      const people = await signedIn(app);
      for (const path of [posts, `${posts}/1`, `${posts}/1/edit`]) {
        const answer = await app.request(path, { headers: people.ann });
        assert.is(answer.status, 200);
        assert.not.match(await answer.text(), /live\.|data-live|\/live-/);
      }
      const comments = await app.request("/customer/1/comments", { headers: people.ann });
      assert.match(await comments.text(), /data-live="list"/);
      assert.not.ok(app.application.routes().some(({ path }) => /posts\/(?:_live|:id\/_live)$/.test(path)));
      assert.is((await Events.open(app, `${posts}/1/_live`, people.ann)).status, 404);
    } finally {
      await app.close();
    }
  });
});
