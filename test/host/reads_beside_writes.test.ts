import { setTimeout as sleep } from "node:timers/promises";
import type { Transaction } from "framewright/plugins/database";
import { addPeople, everyday, openAccounts, PASSWORD } from "../plugins/authlib/accounts.ts";
import type { TestApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf, openShop } from "../support/shop.ts";

const json = { accept: "application/json", "content-type": "application/json" };
const posts = "/admin/blogging/posts";

type Write = (trx: Transaction) => PromiseLike<unknown>;

/** A promise and what resolves it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const insertPost = (trx: Transaction) =>
  trx("blogging_posts").insert({ title: "Not yet", created_at: new Date(), updated_at: new Date() });

/** Asks while a transaction that wrote something is open, and commits it then. */
async function whileWriting<T>(app: TestApp, ask: () => Promise<T>, write: Write = insertPost): Promise<T> {
  const [wrote, done] = [gate(), gate()];
  const database = databaseOf(app.application);
  const writing = database.transaction(async (trx) => {
    await write(trx);
    wrote.open();
    await done.opened;
  });
  await wrote.opened;
  try {
    return await ask();
  } finally {
    done.open();
    await writing;
  }
}

for (const database of await databases()) {
  describe(`Reads during a write transaction on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop({}, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const create = async (title: string) => {
      const answer = await app.request(posts, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ blogging_post: { title } }),
      });
      assert.is(answer.status, 201, await answer.clone().text());
      return ((await answer.json()) as { data: { id: number } }).data.id;
    };
    const titles = async (query = "") => {
      const answer = await app.request(`${posts}${query}`, { headers: json });
      return ((await answer.json()) as { data: { title: string }[] }).data.map(({ title }) => title);
    };

    can("Lists, pages and /readyz are served with committed data while a write transaction is open", async () => {
      const id = await create("First");
      const start = performance.now();
      await whileWriting(app, async () => {
        for (const path of ["/readyz", posts, `${posts}/${id}`, `${posts}?sort=title&q=First`, `${posts}/new`]) {
          const answer = await app.request(path);
          assert.is(answer.status, 200, `${path}: ${await answer.text()}`);
        }
        assert.equal(await titles(), ["First"]);
        assert.equal(await titles("?q=t&sort=-title"), ["First"]);
        const { knex } = databaseOf(app.application);
        assert.is((await knex("blogging_posts").count({ total: "*" }))[0]!.total, 1);
        assert.is((await knex("blogging_posts").first("title")).title, "First");
        assert.equal(await knex("blogging_posts").pluck("title"), ["First"]);
        const answer = await knex.raw("select 1 as one");
        assert.is(Number((answer.rows ?? answer.flat())[0].one), 1);
      });
      assert.ok(performance.now() - start < 4800, `after ${performance.now() - start} ms`);
      assert.equal(await titles(), ["Not yet", "First"]);
    });

    can("A finished write is visible to its client while another transaction is open", async () => {
      for (let round = 0; round < 5; round++) {
        const title = `Mine ${round}`;
        const id = await create(title);
        await whileWriting(app, async () => {
          assert.is((await titles())[0], title);
          assert.is((await app.request(`${posts}/${id}`, { headers: json })).status, 200);
        });
        assert.is((await titles())[0], "Not yet");
      }
    });

    can("A write that is sent while another transaction is open is stored once that one has ended", async () => {
      const title = "Waited";
      let waiting: Promise<number> | undefined;
      await whileWriting(app, async () => {
        waiting = create(title);
        await sleep(200);
        if (database.name === "sqlite") assert.is((await titles()).includes(title), false);
      });
      await waiting;
      assert.ok((await titles()).includes(title));
    });
  });
}

describe("A transaction that stays open in SQLite", (it) => {
  it("A signed-in user gets a page in less than 4.8 s while a write transaction is open", async () => {
    const accounts = await openAccounts({ user: { features: everyday } });
    try {
      await addPeople(accounts, "user", "ann@example.test");
      const client = accounts.client();
      await client.page("/users/login");
      await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
      const { knex } = databaseOf(accounts.application);
      const keys = "user_active_session_keys";
      await knex(keys).update({ last_use: new Date(Date.now() - 120_000) });
      const start = performance.now();
      const look = async () => assert.is((await client.request("/user")).status, 200);
      await whileWriting(accounts, look, (trx) => trx(keys).where("id", 0).delete());
      assert.ok(performance.now() - start < 4800, `after ${performance.now() - start} ms`);
    } finally {
      await accounts.close();
    }
  });
});
