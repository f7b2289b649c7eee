import mysql from "mysql2/promise";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { ensureBuilt, fw, fwOk, newApp, runCommand } from "./support.ts";

for (const database of await databases()) {
  describe(`Tests of an application whose DATABASE_URL names a database, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());

    it.unless(
      database.skip,
      "They run again and again, each file on an empty database that is removed, and leave nothing in the one named",
      async () => {
        await ensureBuilt();
        const app = await newApp();
        await fwOk(app, "g", "fw:res:scaffold", "Tag", "name:uniq");
        const values = { DATABASE_URL: "sqlite:storage/named.sqlite3", ...(await database.values()) };
        for (let time = 1; time <= 2; time++) {
          const { code, out, err } = await runCommand(process.execPath, [fw, "test"], app, values);
          assert.is(code, 0, out + err);
        }
        assert.equal(await left(values.DATABASE_URL), { databases: 1, tags: 0 });
      },
    );
    it.unless(
      database.skip ?? (database.name === "mysql" ? undefined : "grants of MariaDB"),
      "FW_DATABASE_EMPTY says what to grant a user who may not create databases",
      async () => {
        const app = await newApp();
        await fwOk(app, "g", "fw:res:scaffold", "Tag", "name:uniq");
        const { DATABASE_URL: root = "" } = await database.values();
        const url = new URL(root);
        const [, name] = url.pathname.split("/");
        const user = `fw_${name!.slice(-8)}`;
        const server = await mysql.createConnection(root);
        const users = [`'${user}'@'%'`, `'${user}'@'localhost'`]; // a server's nameless user of localhost would come first
        for (const one of users) {
          await server.query(`create user ${one} identified by 'secret-of-a-test'`);
          await server.query(`grant all on \`${name}\`.* to ${one}`);
        }
        try {
          Object.assign(url, { username: user, password: "secret-of-a-test" });
          const { code, out, err } = await runCommand(process.execPath, [fw, "test"], app, { DATABASE_URL: url.href });
          assert.is(code, 1);
          for (const part of ["FW_DATABASE_EMPTY", "grant all on", "openTestApplication({ database })"])
            assert.ok(out.includes(part), out + err);
        } finally {
          for (const one of users) await server.query(`drop user ${one}`);
          await server.end();
        }
      },
    );
  });
}

/** How many databases there are whose names begin as the one named, and the rows of `tags` in it. */
async function left(address: string): Promise<{ databases: number; tags: number }> {
  if (!address.startsWith("mysql:")) return { databases: 1, tags: 0 };
  const server = await mysql.createConnection(address);
  try {
    const name = new URL(address).pathname.slice(1);
    const [found] = await server.query("select schema_name from information_schema.schemata where schema_name like ?", [
      `${name}%`,
    ]);
    const [rows] = await server.query("select * from tags");
    return { databases: (found as unknown[]).length, tags: (rows as unknown[]).length };
  } finally {
    await server.end();
  }
}
