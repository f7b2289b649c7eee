import { join } from "node:path";
import { openApp, type TestApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { first, second, writeRelease } from "./rolling_app.ts";
import { RollingClient } from "./rolling_load.ts";

/** A visitor whose next request may get to another process. */
class Visitor extends RollingClient {
  go(to: TestApp): this {
    (this as { url: string }).url = to.url;
    return this;
  }
}

for (const base of await databases()) {
  describe(`Two releases that serve at once, on ${base.name}`, (it, { before, after }) => {
    let old: TestApp;
    let now: TestApp;
    if (base.skip === undefined)
      before(async () => {
        const root = writeRelease(first);
        const values = { DATABASE_URL: `sqlite:${join(root, "served.sqlite3")}`, ...(await base.values()) };
        old = await openApp(root, { values });
        await old.application.kernel.service("database").migrations.up();
        await old.close();
        old = await openApp(root, { values });
        const before = await new Visitor(old.url, []).page("/office/posts");
        assert.match(before, "edited");
        now = await openApp(writeRelease(second), { values });
        assert.is((await now.request("/readyz")).status, 503);
        await now.application.kernel.service("database").migrations.up();
        assert.is((await now.request("/readyz")).status, 200);
      });
    after(async () => {
      await now?.close();
      await old?.close();
      await base.clean();
    });
    const can = (sentence: string, story: () => Promise<void>) => it.unless(base.skip, sentence, story);
    const both = (): (readonly [TestApp, TestApp])[] => [
      [old, now],
      [now, old],
    ];

    can("The old one is ready, reads and writes after the migrations of the new one", async () => {
      assert.is((await old.request("/readyz")).status, 200);
      const visitor = new Visitor(old.url, []);
      const made = await visitor.fillIn("/office/posts/new", await visitor.page("/office/posts/new"), "by the old one");
      assert.is(made.status, 303);
      const path = new URL(made.headers.get("location")!, old.url).pathname;
      for (const app of [now, old]) assert.match(await visitor.go(app).page(path), "by the old one");
    });

    can("A session and a flash message of either is read by the other", async () => {
      for (const [from, to] of both()) {
        const visitor = new Visitor(from.url, []);
        await visitor.request("/enter?user=3");
        const answer = await visitor.fillIn("/office/posts/new", await visitor.page("/office/posts/new"), "flashed");
        const path = new URL(answer.headers.get("location")!, from.url).pathname;
        assert.match(await visitor.go(to).page(path), "flashed was created");
      }
    });

    can("A form of either is taken by the other, unless the record was changed meanwhile", async () => {
      for (const [from, to] of both()) {
        const visitor = new Visitor(from.url, []);
        const form = await visitor.page("/office/posts/1/edit");
        const saved = await visitor.go(to).fillIn("/office/posts/1/edit", form, "saved");
        assert.is(saved.status, 303, await saved.text());
        const late = await visitor.go(to).fillIn("/office/posts/1/edit", form, "late");
        assert.is(late.status, 409);
      }
    });

    can("A style sheet of either is served by the other, with its own content and kept by no cache", async () => {
      for (const [from, to] of both()) {
        const { css } = (await (await from.request("/release")).json()) as { css: string };
        const own = await from.request(css);
        assert.match(own.headers.get("cache-control") ?? "", "immutable");
        const other = await to.request(css);
        assert.equal([other.status, other.headers.get("cache-control")], [200, "no-store"]);
        assert.match(await other.text(), from === old ? "--release: 2" : "--release: 1");
      }
    });

    can("A run at a step that the old one does not have goes on there, and the new one asks for it", async () => {
      const visitor = new Visitor(now.url, []);
      await visitor.request("/enter?user=4");
      const placeOf = (answer: Response) => new URL(answer.headers.get("location") ?? "/", now.url).pathname;
      let at = placeOf(await visitor.request("/office/order"));
      for (let turn = 0; turn < 4 && !at.endsWith("/wrap"); turn++)
        at = placeOf(await visitor.fillIn(at, await visitor.page(at), "given"));
      assert.match(at, /\/wrap$/);
      const seen = await visitor.go(old).request(at);
      assert.is(seen.status, 303, "the old one knows no such step");
      assert.match(placeOf(seen), /\/review$/);
      assert.is((await visitor.request(placeOf(seen))).status, 200);
      assert.is((await visitor.go(now).request(at)).status, 200, "what only looked at the run left it as it was");
      const done = await visitor.fillIn(at, await visitor.page(at), "paper");
      assert.match(placeOf(done), /\/review$/);
    });

    can("A job of a kind that only the new one knows is left alone by the old one", async () => {
      await now.request("/work?n=1");
      const jobs = (app: TestApp) => app.application.kernel.service("jobs");
      const greet = async () => (await jobs(now).list({ kind: "greet" }))[0]?.state;
      await jobs(old).drain();
      assert.ok(["waiting", "running", "done"].includes((await greet()) ?? ""));
      await jobs(now).drain();
      for (let turn = 0; turn < 100 && (await greet()) !== "done"; turn++)
        await new Promise((end) => setTimeout(end, 50));
      assert.is(await greet(), "done");
    });
  });
}
