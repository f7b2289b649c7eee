import { join } from "node:path";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { first, second, writeRelease } from "./rolling_app.ts";
import { RollingClient } from "./rolling_load.ts";
import { fw, runCommand } from "./support.ts";

type Served = Awaited<ReturnType<typeof serveApp>>;

/** A visitor whose next request may get to another process. */
class Visitor extends RollingClient {
  go(to: Served): this {
    (this as { url: string }).url = to.url;
    return this;
  }
}

const signedIn = async (app: Served, user = 1): Promise<Visitor> => {
  const visitor = new Visitor(app.url, []);
  await visitor.request(`/enter?user=${user}`);
  return visitor;
};

for (const base of await databases()) {
  describe(`Two releases that serve at once, on ${base.name}`, (it, { before, after }) => {
    let old: Served;
    let now: Served;
    let env: Record<string, string>;
    const [one, two] = [writeRelease(first), writeRelease(second)];
    const run = async (root: string, ...words: string[]) => {
      const { code, out, err } = await runCommand(process.execPath, [fw, ...words], root, env);
      assert.is(code, 0, out + err);
      return out;
    };
    const readyz = async ({ url }: Served) => (await fetch(`${url}/readyz`)).status;
    if (base.skip === undefined)
      before(async () => {
        env = {
          DATABASE_URL: `sqlite:${join(one, "served.sqlite3")}`,
          ...(await base.values()),
          NODE_ENV: "production",
          SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
        };
        await run(one, "db:migrate");
        old = await serveApp(one, env, "start");
        assert.match(await (await signedIn(old)).page("/office/posts"), "edited"); // its columns are known from now on
        now = await serveApp(two, env, "start");
        assert.is(await readyz(now), 503);
        await run(two, "db:migrate");
        assert.is(await readyz(now), 200);
      });
    after(async () => {
      for (const served of [old, now]) {
        served?.child.kill("SIGTERM");
        if (served) await exitOf(served.child);
      }
      await base.clean();
    });
    const can = (sentence: string, story: () => Promise<void>) => it.unless(base.skip, sentence, story);
    const both = (): (readonly [Served, Served])[] => [
      [old, now],
      [now, old],
    ];

    can("The old one is ready, reads and writes after the migrations of the new one", async () => {
      assert.is(await readyz(old), 200);
      const visitor = await signedIn(old);
      const made = await visitor.fillIn("/office/posts/new", await visitor.page("/office/posts/new"), "by the old one");
      assert.is(made.status, 303);
      const path = new URL(made.headers.get("location")!, old.url).pathname;
      for (const app of [now, old]) assert.match(await visitor.go(app).page(path), "by the old one");
    });

    can("A session and a flash message of either is read by the other", async () => {
      for (const [from, to] of both()) {
        const visitor = await signedIn(from);
        const answer = await visitor.fillIn("/office/posts/new", await visitor.page("/office/posts/new"), "flashed");
        const path = new URL(answer.headers.get("location")!, from.url).pathname;
        assert.match(await visitor.go(to).page(path), "flashed was created");
      }
    });

    can("A form of either is taken by the other, unless the record was changed meanwhile", async () => {
      for (const [from, to] of both()) {
        const visitor = await signedIn(from);
        const form = await visitor.page("/office/posts/1/edit");
        const saved = await visitor.go(to).fillIn("/office/posts/1/edit", form, `saved at ${to.url}`);
        assert.is(saved.status, 303, await saved.text());
        const late = await visitor.go(to).fillIn("/office/posts/1/edit", form, "late");
        assert.is(late.status, 409);
      }
    });

    can("A style sheet of either is served by the other, with its own content and kept by no cache", async () => {
      for (const [from, to] of both()) {
        const { css } = (await (await fetch(`${from.url}/release`)).json()) as { css: string };
        const own = await fetch(from.url + css);
        assert.match(own.headers.get("cache-control") ?? "", "immutable");
        const other = await fetch(to.url + css);
        assert.equal([other.status, other.headers.get("cache-control")], [200, "no-store"]);
        assert.match(await other.text(), from === old ? "--release: 2" : "--release: 1");
      }
    });

    can("A run at a step that the old one does not have goes on there, and the new one asks for it", async () => {
      const visitor = await signedIn(now, 4);
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
      await fetch(`${now.url}/work?n=1`);
      const states = async () => {
        const listed = JSON.parse(await run(two, "jobs", "--json")) as {
          kind: string;
          state: string;
          attempts: number;
        }[];
        return listed.map(({ kind, state, attempts }) => `${kind} ${state} ${attempts}`).sort();
      };
      for (let turn = 0; turn < 20 && (await states()).some((one) => !one.includes("done")); turn++);
      assert.equal(await states(), ["greet done 1", "note done 1"]);
    });
  });
}
