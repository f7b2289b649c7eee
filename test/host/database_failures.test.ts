import { setTimeout as sleep } from "node:timers/promises";
import mysql from "mysql2/promise";
import { addPeople, everyday, openAccounts, PASSWORD } from "../plugins/authlib/accounts.ts";
import { addFiles, openApp, type TestApp, writeApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import {
  asCluster,
  exitOf,
  freePort,
  OwnMariadb,
  reasonForNoGalera,
  reasonForNoMariadb,
  serveApp,
} from "../support/processes.ts";
import { databaseOf, openMigrated, openShop, shopFiles } from "../support/shop.ts";

const json = { accept: "application/json", "content-type": "application/json" };
const posts = "/admin/blogging/posts";
const create = (app: Pick<TestApp, "request">, title = "A", body = "") =>
  app.request(posts, { method: "POST", headers: json, body: JSON.stringify({ blogging_post: { title, body } }) });
const list = (app: Pick<TestApp, "request">) => app.request(posts, { headers: json });

async function isUnavailable(answer: Response): Promise<void> {
  assert.is(answer.status, 503, await answer.text());
  assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
}
async function until(status: number, ask: () => Promise<Response>): Promise<void> {
  let last = 0;
  for (let attempt = 0; attempt < 80 && last !== status; attempt++) {
    if (attempt > 0) await sleep(100);
    last = (await ask()).status;
  }
  assert.is(last, status);
}

describe("A SQLite database that is not writable", (it) => {
  it("While SQLite is not writable, writes and sign-ins get 503 and lists 200, and writes succeed once it is again", async () => {
    const shop = await openShop();
    try {
      assert.is((await create(shop)).status, 201);
      const { knex } = databaseOf(shop.application);
      await knex.raw("PRAGMA query_only = ON");
      await isUnavailable(await create(shop));
      assert.is((await list(shop)).status, 200);
      await knex.raw("PRAGMA query_only = OFF");
      const [{ page_count }] = await knex.raw("PRAGMA page_count");
      await knex.raw(`PRAGMA max_page_count = ${page_count}`); // as a disk that is full
      await isUnavailable(await create(shop, "B", "x".repeat(100_000)));
      await knex.raw("PRAGMA max_page_count = 1000000");
      assert.is((await create(shop, "B", "x".repeat(100_000))).status, 201);
    } finally {
      await shop.close();
    }
    const accounts = await openAccounts({ user: { features: everyday } });
    try {
      await addPeople(accounts, "user", "ann@example.test");
      const { knex } = databaseOf(accounts.application);
      await knex.raw("PRAGMA query_only = ON");
      const client = accounts.client();
      await client.page("/users/login");
      const fields = { login: "ann@example.test", password: PASSWORD };
      assert.is((await client.submit("/users/login", fields)).status, 503);
      await knex.raw("PRAGMA query_only = OFF");
      assert.is((await client.submit("/users/login", fields)).status, 303);
    } finally {
      await accounts.close();
    }
  });
});

const quick = {
  "plugins.config.ts": edited(shopFiles, "plugins.config.ts", ["database()", "database({ statementTimeout: 1000 })"]),
};

describe("An unavailable MariaDB", (it) => {
  it.unless(
    reasonForNoMariadb(),
    "Requests and /readyz get 503 while MariaDB is stopped, frozen or reports errors, and recover by themselves",
    async () => {
      const server = new OwnMariadb(await freePort());
      await server.install();
      await server.start();
      const root = writeApp({ ...shopFiles, ...quick });
      const values = { DATABASE_URL: server.url };
      await (await openMigrated(root, values)).close();
      await server.stop();
      const app = await openApp(root, { values });
      const ready = () => app.request("/readyz");
      try {
        for (const ask of [() => list(app), () => create(app), () => app.request("/admin")])
          await isUnavailable(await ask());
        assert.is((await ready()).status, 503);
        assert.is((await app.request("/healthz")).status, 200);
        await server.start();
        while ((await ready()).status !== 200) await sleep(50);
        assert.is((await create(app)).status, 201); // whoever waited for /readyz is served at once
        assert.is((await list(app)).status, 200);
        assert.is((await app.request(`${posts}/new`)).status, 200);

        server.freeze();
        await sleep(100); // one of its threads may still answer
        const start = performance.now();
        const [read, write, health] = await Promise.all([list(app), create(app), ready()]);
        assert.ok(performance.now() - start < 6000, `after ${performance.now() - start} ms`);
        for (const answer of [read, write]) await isUnavailable(answer);
        assert.is(health.status, 503);
        server.thaw();
        await until(201, () => create(app));
        await until(200, ready);

        const admin = await mysql.createConnection(server.url);
        for (const number of [1021, 1040, 1047, 1114, 1205, 1213, 1290, 1317, 1969]) {
          await admin.query(
            `create trigger failing before insert on blogging_posts for each row signal sqlstate '45000' set mysql_errno = ${number}`,
          );
          await isUnavailable(await create(app, `error ${number}`));
          await admin.query("drop trigger failing");
        }
        await admin.end();
        assert.is((await create(app)).status, 201);
      } finally {
        server.thaw();
        await app.close();
        await server.remove();
      }
    },
  );
});

describe("A Galera node that rejects queries", (it) => {
  it.unless(
    reasonForNoGalera(),
    "Requests and /readyz get 503 while a Galera node rejects queries, and succeed once it accepts them again",
    async () => {
      const server = new OwnMariadb(await freePort());
      await server.install();
      await server.start(...asCluster(await freePort()));
      const app = await openShop({}, { DATABASE_URL: server.url });
      const admin = await mysql.createConnection(server.url);
      try {
        assert.is((await create(app)).status, 201);
        await admin.query("set global wsrep_reject_queries = all");
        for (const ask of [() => list(app), () => create(app)]) await isUnavailable(await ask());
        assert.is((await app.request("/readyz")).status, 503);
        await admin.query("set global wsrep_reject_queries = none");
        await until(201, () => create(app));
        assert.is((await app.request("/readyz")).status, 200);
      } finally {
        await admin.end();
        await app.close();
        await server.remove();
      }
    },
  );
});

const hanging = {
  "packages/blogging/app/interactions/blogging/tidy_posts.ts": `import { Interaction, succeed } from "framewright/plugins/resources"; import Post from "#packages/blogging/app/models/blogging/post.ts";
    export default class TidyPosts extends Interaction {
      async execute() { await this.query(Post).patch({ status: "live" } as never); await new Promise(() => undefined); return succeed(); }
    }`,
};

for (const database of await databases()) {
  describe(`A transaction that never ends, on ${database.name}`, (it) => {
    it.unless(
      database.skip,
      "A transaction that never ends is rolled back at the deadline, logged with its interaction and blocks no later write",
      async () => {
        const root = writeApp(shopFiles);
        addFiles(root, hanging);
        const values = { ...(await database.values()), REQUEST_DEADLINE: "1000" };
        const made = await openMigrated(root, values);
        assert.is((await create(made)).status, 201);
        await made.close();
        const served = await serveApp(root, { ...values, LOG_LEVEL: "error" });
        const request: TestApp["request"] = (path, init) => fetch(served.url + path, init);
        try {
          const tidy = () => request(`${posts}/actions/tidy`, { method: "POST", headers: json, body: "{}" });
          for (const answer of await Promise.all(Array.from({ length: 12 }, tidy))) await isUnavailable(answer);
          await until(201, () => create({ request }, "After"));
          const stored = (await (await list({ request })).json()) as { data: { status: string }[] };
          assert.equal(
            stored.data.map(({ status }) => status),
            ["draft", "draft"],
          );
          assert.match(
            served.output(),
            /FW_TRANSACTION_LATE: a transaction of the interaction \\?"TidyPosts\\?" was not over/,
          );
          assert.is((await request("/readyz")).status, 200);
        } finally {
          served.child.kill("SIGTERM");
          await exitOf(served.child);
          await database.clean();
        }
      },
    );
  });

  if (database.name !== "mysql") continue;
  describe("A row that another transaction has locked", (it) => {
    it.unless(
      database.skip,
      "Updates of a locked row get 503 within 9 s, and a list is read in less than 1 s meanwhile",
      async () => {
        const values = await database.values();
        const app = await openShop({}, values);
        const other = await mysql.createConnection(values.DATABASE_URL!);
        try {
          assert.is((await create(app)).status, 201);
          await other.query("begin");
          await other.query("select * from blogging_posts where id = 1 for update");
          const start = performance.now();
          const patch = () =>
            app.request(`${posts}/1`, {
              method: "PATCH",
              headers: json,
              body: JSON.stringify({ blogging_post: { title: "B" } }),
            });
          const patches = Promise.all(Array.from({ length: 12 }, patch));
          await sleep(100);
          const asked = performance.now();
          assert.is((await list(app)).status, 200);
          assert.ok(performance.now() - asked < 1000, `a read took ${performance.now() - asked} ms`);
          for (const answer of await patches) await isUnavailable(answer);
          assert.ok(performance.now() - start < 9000, `after ${performance.now() - start} ms`);
          await other.query("rollback");
          assert.is((await patch()).status, 200);
        } finally {
          await other.end();
          await app.close();
          await database.clean();
        }
      },
    );
  });

  describe("Concurrent sign-ups", (it) => {
    it.unless(
      database.skip,
      "40 concurrent sign-ups all succeed, and 10 with one login create one account and get the same answer",
      async () => {
        const app = await openAccounts(
          { user: { features: everyday } },
          { values: await database.values(), authlib: "{ limits: false }" },
        );
        try {
          const { knex } = databaseOf(app.application);
          const [[row]] = await knex.raw("select @@tx_isolation as isolation, @@innodb_lock_wait_timeout as wait");
          assert.equal(row, { isolation: "READ-COMMITTED", wait: 3 });
          const clients = Array.from({ length: 40 }, () => app.client());
          await Promise.all(clients.map((client) => client.page("/users/create-account")));
          const answers = await Promise.all(
            clients.map((client, index) =>
              client.submit("/users/create-account", {
                login: `p${index}@example.test`,
                password: PASSWORD,
                password_confirmation: PASSWORD,
              }),
            ),
          );
          assert.equal([...new Set(answers.map(({ status }) => status))], [303]);
          const stored = async () => Number((await knex("user_verification_keys").count({ n: "*" }))[0]!.n);
          assert.is(await stored(), 40);
          const same = { login: "same@example.test", password: PASSWORD, password_confirmation: PASSWORD };
          const said = await Promise.all(
            clients.slice(0, 10).map(async (client) => {
              await client.page("/users/create-account");
              const answer = await client.submit("/users/create-account", same);
              return `${answer.status} ${answer.headers.get("location")}`;
            }),
          );
          assert.is(new Set(said).size, 1, said.join("\n"));
          assert.is(await stored(), 41);
        } finally {
          await app.close();
          await database.clean();
        }
      },
    );
  });
}
