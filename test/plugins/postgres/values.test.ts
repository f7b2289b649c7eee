import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { copyDatabase, Model, Schema } from "framewright/plugins/database";
import { convertTypes, postgresDriver } from "framewright/plugins/postgres";
import { assert, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh, postgresNames } from "../database/support.ts";

type Values = Record<string, unknown>;
const stories: Parameters<typeof eachDatabase>[1] = (it) => {
  it("Times are timestamptz and documents jsonb, and another zone of a session changes no moment", async (fresh) => {
    class Event extends Model("events") {}
    const first = await fresh.open();
    await new Schema(first.knex).createTable("events", (t) => {
      t.id();
      t.datetime("at").notNull().default(new Date("2026-01-31T12:00:00.100Z"));
      t.json("data");
    });
    const db = await fresh.open({ Event });
    const { rows } = await db.knex.raw("select data_type from information_schema.columns where table_name = 'events'");
    const types = rows.map(({ data_type }: { data_type: string }) => data_type);
    assert.equal(types.sort(), ["bigint", "jsonb", "timestamp with time zone"]);
    const column = (await db.introspect("events")).find(({ name }) => name === "at");
    assert.equal([column?.type, column?.default], ["datetime", "2026-01-31 12:00:00.100"]);
    await db.query(Event).insert({ data: { a: [1.5], "b c": null } } as never);
    const stored = (await db.query(Event).first()) as unknown as Values;
    assert.equal(
      [(stored.at as Date).toISOString(), stored.data],
      ["2026-01-31T12:00:00.100Z", { a: [1.5], "b c": null }],
    );
    const seen = await db.transaction(async (transaction) => {
      await transaction.raw("set local timezone = 'Asia/Kolkata'");
      return transaction("events").first("at");
    });
    assert.equal(seen, { at: "2026-01-31 12:00:00.100" });
    assert.equal(await db.knex("events").whereRaw(`data @> '{"a": [1.5]}'`).pluck("id"), [1]);
  });

  it("Arrays are read as JSON, to the digit", async (fresh) => {
    class Holder extends Model("holders") {}
    const first = await fresh.open();
    await first.knex.raw(
      "create table holders (id bigint primary key, tags text[], numbers numeric(30, 10)[], large bigint[], flags boolean[], times timestamptz[], grid int[][], documents jsonb[])",
    );
    await first.knex.raw(
      `insert into holders values (1, array['a, b', 'say "x"', null, 'NULL', 'back\\slash', '{}', ''], array[1.50, 12345678901234567890.0123456789, 'NaN'], array[9223372036854775807], array[true, null, false], array['2026-01-31 13:00:00+01'::timestamptz], array[[1,2],[3,4]], array['{"a": 1.50}'::jsonb])`,
    );
    const { tags, numbers, large, ...rest } = await first.knex("holders").first();
    assert.equal(JSON.parse(tags), ["a, b", 'say "x"', null, "NULL", "back\\slash", "{}", ""]);
    assert.is(numbers, '[1.5000000000,12345678901234567890.0123456789,"NaN"]');
    assert.is(large, "[9223372036854775807]");
    assert.equal(rest, {
      ...{ id: 1, flags: "[true,null,false]", times: '["2026-01-31 12:00:00.000"]' },
      ...{ grid: "[[1,2],[3,4]]", documents: '[{"a": 1.50}]' },
    });
    const db = await fresh.open({ Holder });
    const one = (await db.query(Holder).first()) as unknown as Values;
    assert.equal(
      [one.grid, one.flags],
      [
        [
          [1, 2],
          [3, 4],
        ],
        [true, null, false],
      ],
    );
    await db.knex("holders").update({ tags: db.knex.raw("'{}'::text[]") });
    assert.equal(((await db.query(Holder).first()) as unknown as Values).tags, []);
  });

  it("A table of before is read and written as it was, named by fw doctor, and converted by a migration", async (fresh) => {
    class Note extends Model("notes") {}
    const first = await fresh.open();
    await createOld(first.knex);
    const db = await fresh.open({ Note });
    const write = async () => {
      const at = new Date("2026-01-31T12:00:00.100Z");
      const { id } = (await db
        .query(Note)
        .insert({ title: "Élan", at, data: { b: 1, a: 2 }, price: "1.10" } as never)) as unknown as { id: number };
      const { created_at: _, updated_at: __, ...read } = (await db.query(Note).findById(id)) as unknown as Values;
      assert.equal({ ...read }, { id, title: "Élan", at, data: { b: 1, a: 2 }, price: "1.10", state: { open: true } });
      assert.equal(
        await db.knex("notes").where({ title: "éLAN", at: "2026-01-31 12:00:00.100" }).pluck("id"),
        [1, 2].slice(0, id),
      );
    };
    await write();
    await db.knex.raw("create table theirs (id int primary key, at timestamp, created_at timestamp, data json)");
    const [found] = (await db.examine()).filter(({ what }) => what === "database types");
    assert.is(found?.ok, true);
    assert.match(found!.detail, "notes.at, notes.created_at, notes.data and 2 more are timestamp or json");
    assert.match(found!.detail, "convertTypes() of framewright/plugins/postgres");
    assert.equal((await convertTypes(new Schema(db.knex))).length, 5);
    assert.equal(await convertTypes(new Schema(db.knex)), [], "a second run finds nothing");
    assert.equal(
      (await db.examine()).filter(({ what }) => what === "database types"),
      [],
    );
    await write();
    const state = (await db.introspect("notes")).find(({ name }) => name === "state");
    assert.equal([state?.type, state?.default], ["json", { open: true }]);
  });

  it("A decimal of PostgreSQL's whole width comes back to the digit", async (fresh) => {
    const { knex } = await fresh.open();
    await knex.raw("create table wide (id int primary key, value numeric(200, 100))");
    const value = `${"9".repeat(100)}.${"123456789".repeat(11)}1`;
    await knex("wide").insert({ id: 1, value });
    assert.equal(await knex("wide").where({ value }).pluck("value"), [value]);
  });
};

/** As migrations created tables while PostgreSQL was an example to be copied. */
async function createOld(knex: Awaited<ReturnType<Fresh["open"]>>["knex"]): Promise<void> {
  await knex.raw("create extension if not exists citext");
  await knex.raw(
    `create table notes (id bigint generated by default as identity primary key, title citext, at timestamp(3), data json, price decimal(10, 2), state json not null default '{"open":true}', created_at timestamp(3) not null, updated_at timestamp(3) not null, constraint notes_title_length check (char_length(title) <= 255))`,
  );
}

eachDatabase("Values of PostgreSQL", stories, postgresNames);

const onServer: typeof stories = (it) => {
  it("A statement that takes too long, and one that waits for a lock too long, are 503 and leave the connection usable", async (fresh) => {
    const limits = { statementTimeout: 200, lockTimeout: 100 };
    const [db, other] = [await fresh.open({}, limits), await fresh.open({}, limits)];
    await db.knex.raw("create table counts (id int primary key, n int)");
    await db.knex("counts").insert({ id: 1, n: 0 });
    const slow = await throwsCode("FW_DATABASE_SLOW", () => db.knex.raw("select pg_sleep(2)"));
    assert.is((slow as { status?: number }).status, 503);
    await db.transaction(async (transaction) => {
      await transaction("counts").update({ n: 1 });
      await throwsCode("FW_DATABASE_LOCKED", () => other.knex("counts").update({ n: 2 }));
    });
    assert.equal(await other.knex("counts").pluck("n"), [1]);
  });

  it("Of hosts in a row the first that lets in and takes writes is used, and a standby is not", async (fresh) => {
    const { host, port, pathname } = new URL(fresh.url);
    const at = (hosts: string) => fresh.open({}, { url: fresh.url.replace(host, hosts) });
    const db = await at(`127.0.0.1:1,${host}`);
    assert.equal((await db.knex.raw("select current_database() as name")).rows, [{ name: pathname.slice(1) }]);
    await throwsCode("FW_DATABASE_AWAY", async () => (await at("127.0.0.1:1,127.0.0.1:2")).ping());
    await db.knex.raw("alter database ?? set default_transaction_read_only = on", [pathname.slice(1)]);
    const standby = async () => (await at(`${host},localhost:${port}`)).ping();
    await throwsCode("FW_DATABASE_UNWRITABLE", standby);
    assert.match((await throwsCode("FW_POSTGRES_HOSTS", () => at("a,b:99999"))).message, "number 2 is no host");
  });

  it("A database that is in use is copied for fw audit and fw db:check, with its rows and rules", async (fresh) => {
    const db = await fresh.open();
    await new Schema(db.knex).createTable("notes", (t) => {
      t.id();
      t.string("title", 20).unique();
      t.json("data").notNull().default({ a: 1 });
    });
    await db.knex("notes").insert({ title: "Élan" });
    const connection = { root: fresh.root, env: "test", url: fresh.url, pool: 1, acquireTimeout: 5000, busyTimeout: 0 };
    const copy = await copyDatabase({ ...connection, drivers: [postgresDriver] });
    const copied = await fresh.open({}, { url: copy.options.url! });
    try {
      assert.equal(await copied.knex("notes"), [{ id: 1, title: "Élan", data: '{"a": 1}' }]);
      assert.equal(await copied.introspect("notes"), await db.introspect("notes"));
      assert.is(await copy.isOpenedBy(copied.knex), true);
      assert.equal(await copied.knex("notes").insert({ title: "next" }), [2]);
      assert.equal(await db.knex("notes").pluck("title"), ["Élan"]);
    } finally {
      await copied.close();
      await copy.remove();
    }
  });

  it("A transaction that loses its server runs again on the next one", async (fresh) => {
    const { host, hostname, port } = new URL(fresh.url);
    const sockets = new Set<Socket>();
    const proxy = createServer((socket) => {
      const server = connect(Number(port), hostname);
      for (const one of [socket, server]) sockets.add(one.on("error", () => undefined));
      socket.pipe(server).pipe(socket);
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const first = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const db = await fresh.open({}, { url: fresh.url.replace(host, `${first},${host}`) });
    await db.knex.raw("create table counts (n int)");
    let runs = 0;
    await db.transaction(async (transaction) => {
      await transaction("counts").insert({ n: ++runs });
      if (runs > 1) return;
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await transaction("counts").insert({ n: 10 });
    });
    assert.equal(await db.knex("counts").pluck("n"), [2]);
  });
};
eachDatabase("Limits and hosts of PostgreSQL", onServer, ["postgres"]);
