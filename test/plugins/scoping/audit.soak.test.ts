import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeApp } from "../../support/apps.ts";
import { databases, mysqlStatement, namesOnServer } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { auditTenancy, type TenancyReport } from "../../testing/index.ts";
import { accountFiles, tenantFiles } from "./tenants.ts";

const secret = {
  NODE_ENV: "test",
  SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
};
/** Thousands of requests, on a machine that does other work. */
const DEADLINE_MS = 240_000;
const leaking = ({ leaks }: TenancyReport) => [...new Set(leaks.map(({ route }) => route))].sort();
const summaries = ({ routes }: TenancyReport) =>
  routes.filter(({ result }) => result === "not covered" || result === "leak");
/** The files of its database, each with its digest. */
const storedIn = (root: string): string[] => {
  const folder = join(root, "storage");
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return names.map(
    (name) =>
      `${name} ${createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")}`,
  );
};

/** An application with a row. Its files are copied, since this process may still write to those that it had open. */
async function copyOf(files: Record<string, string>, values: Record<string, string>): Promise<string> {
  const [first, root] = [writeApp(files), writeApp(files)];
  const app = await openMigrated(first, values);
  await databaseOf(app.application).knex("organizations").insert({ name: "Own" });
  await app.close();
  if (existsSync(join(first, "storage"))) cpSync(join(first, "storage"), join(root, "storage"), { recursive: true });
  return root;
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`An audit of tenants on ${database.name}`, (it, { after }) => {
    after(() => database.clean());

    const isSqlite = database.name === "sqlite";
    const what = isSqlite ? "three scoped portals" : "a scoped portal, for people with accounts,";
    it.unless(
      database.skip,
      `Every route of ${what} is covered, and nothing leaks`,
      async () => {
        const files = isSqlite ? tenantFiles : { ...tenantFiles, ...accountFiles };
        const values = await database.values();
        const root = await copyOf(files, values);
        const before = storedIn(root);
        const only = isSqlite ? {} : { portal: "CustomerPortal" }; // each request takes longer there
        const report = await auditTenancy({ root, ...only, values: { ...secret, ...values } });
        assert.equal(leaking(report), []);
        assert.equal(summaries(report), []);
        assert.equal(report.portals, isSqlite ? ["CustomerPortal", "GuestPortal", "DomainPortal"] : ["CustomerPortal"]);
        const count = isSqlite ? 675 : 225;
        assert.equal([report.totals.routes, report.totals.covered], [count, count]);
        assert.ok(report.totals.requests > count * 10, `only ${report.totals.requests}`);
        assert.equal(report.marked, ["Attachment", "Comment", "Membership", "Note", "Organization", "Post", "User"]);
        assert.equal(storedIn(root), before);
      },
      DEADLINE_MS,
    );

    it.unless(
      database.skip,
      "The application's own database stays as it is, and the copy is removed",
      async () => {
        const values = await database.values();
        const root = await copyOf(tenantFiles, values);
        const before = storedIn(root);
        await auditTenancy({ root, portal: "GuestPortal", values: { ...secret, ...values } });
        assert.equal(storedIn(root), before);
        if (database.name === "mysql") assert.equal(await namesOnServer("%\\_audit\\_%", values.DATABASE_URL!), []);
        const again = await openMigrated(root, values);
        const rows: unknown[] = await databaseOf(again.application).knex("organizations").pluck("name");
        assert.equal(rows, ["Own"]);
        await again.close();
      },
      DEADLINE_MS,
    );

    if (!isSqlite)
      it.unless(
        database.skip ?? (database.name === "mysql" ? undefined : "grants of MariaDB"),
        "A user who may not create databases is refused with what to grant",
        async () => {
          const values = await database.values();
          const root = await copyOf(tenantFiles, values);
          const url = new URL(values.DATABASE_URL!);
          const name = url.pathname.slice(1);
          const user = `${name.slice(0, 24)}_u`;
          await mysqlStatement(url.href, `create user ${user}@'%' identified by 'secret'`);
          try {
            await mysqlStatement(url.href, `grant all on ${name}.* to ${user}@'%'`);
            Object.assign(url, { username: user, password: "secret" });
            const failure = await auditTenancy({ root, values: { ...secret, DATABASE_URL: url.href } }).catch(
              (error) => error,
            );
            assert.match(String(failure), "FW_DATABASE_COPY");
            assert.match(String(failure), "grant all on");
            assert.is(String(failure).includes("secret"), false);
          } finally {
            await mysqlStatement(values.DATABASE_URL!, `drop user ${user}@'%'`);
          }
        },
      );

    it.unless(database.skip, "The copy is removed when the audit is stopped", async () => {
      const root = writeApp(tenantFiles);
      const values = await database.values();
      await (await openMigrated(root, values)).close();
      const signal = AbortSignal.timeout(1500);
      const failure = await auditTenancy({ root, signal, values: { ...secret, ...values } }).catch((error) => error);
      assert.match(String(failure), "TimeoutError");
      if (database.name === "mysql") assert.equal(await namesOnServer("%\\_audit\\_%", values.DATABASE_URL!), []);
    });
  });
}
