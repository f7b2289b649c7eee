import { Schema } from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

async function things(fresh: Fresh) {
  const db = await fresh.open({}, { pool: 1 });
  await new Schema(db.knex).createTable("things", (t) => {
    t.id();
    t.string("name");
    t.bigint("big");
    t.decimal("amount", 12, 4);
    t.boolean("done");
    t.date("due_on");
    t.datetime("at");
    t.time("opens_at");
    t.json("settings");
    t.binary("photo");
    t.float("score");
  });
  return db;
}

const rows: Record<string, unknown>[] = [
  { name: "Ärger 🚀 'quoted' \\ ?", big: 9007199254740991, amount: "12.3400", done: true, due_on: "2026-02-28" },
  { name: "", big: "9223372036854775807", amount: "-0.0001", done: false, at: "2026-01-31 12:00:00.000" },
  { name: null, big: -1, amount: "99999999.9999", at: "2026-01-31 12:00:00.120", opens_at: "10:30:00" },
  { name: "x".repeat(255), big: 0, settings: '{"a":[1,null,"ä"]}', photo: Buffer.from([0, 255, 39, 92]), score: 0.1 },
  { name: "0", big: "-9223372036854775808", at: new Date("1969-12-31T23:59:59.999Z"), score: 1.5, done: null },
];

eachDatabase("A repeated statement", (it, name) => {
  it("A repeated statement writes and reads the same as the first time", async (fresh) => {
    const { knex } = await things(fresh);
    const first: unknown[] = [];
    for (let round = 0; round < 4; round++) {
      for (const [index, row] of rows.entries()) {
        const [id] = await knex("things").insert(row);
        const many = await knex("things").where("id", id); // as text: it could be many
        const one = await knex("things").where("id", id).first();
        const { id: _, ...values } = one;
        assert.equal(one, many[0]);
        if (round === 0) first.push(values);
        else assert.equal(values, first[index]);
      }
    }
    assert.is(await knex("things").where("big", 0).update({ done: true, name: "?" }), 4);
    assert.is(await knex("things").where({ big: -1, name: "no" }).update({ done: true }), 0);
    assert.is(await knex("things").where("done", true).del(), 8);
  });

  it("A select that is built once binds its values wherever it has them, and beside values of its own", async (fresh) => {
    const db = await things(fresh);
    const names = ["a", "b", "c", "d"];
    for (const [index, name] of names.entries()) await db.knex("things").insert({ name, score: index, done: true });
    const between = db.prepared((knex, [to, from]) =>
      knex("things")
        .select("name")
        .where("done", true)
        .where("score", ">=", from as number)
        .where("score", "<=", to as number)
        .orderBy("name"),
    );
    const twice = db.prepared((knex, [name]) =>
      knex("things")
        .select("name")
        .where("name", name as string)
        .orWhere((either) => void either.where("score", 3).whereNot("name", name as string))
        .orderBy("name"),
    );
    const oneMore = db.prepared((knex, [most]) =>
      knex("things")
        .select("name")
        .orderBy("name")
        .limit((most as number) + 1),
    );
    const namesOf = (found: readonly Record<string, unknown>[]) => found.map(({ name }) => name).join("");
    for (let round = 0; round < 2; round++) {
      assert.is(namesOf(await between.rows([2, 1])), "bc");
      assert.is(namesOf(await between.rows([1, 0])), "ab");
      assert.is(namesOf(await between.rows([1, 2])), "");
      assert.is(namesOf(await twice.rows(["a"])), "ad");
      assert.is(namesOf(await twice.rows(["d"])), "d");
      assert.is(namesOf(await oneMore.rows([1])), "ab");
      assert.is(namesOf(await oneMore.rows([2])), "abc");
    }
  });

  it("A repeated query of bytes gives the same value for one row or many, and for all or some columns", async (fresh) => {
    const { knex } = await things(fresh);
    await knex("things").insert({ photo: Buffer.from([0, 255]), name: "a" });
    const [all] = await knex("things");
    for (let round = 0; round < 4; round++) {
      assert.equal((await knex("things").first("photo", "name")).photo, all.photo);
      assert.equal((await knex("things").select("photo", "name"))[0].photo, all.photo);
    }
  });

  it("A repeated statement inside a transaction is rolled back with it", async (fresh) => {
    const db = await things(fresh);
    for (let round = 0; round < 5; round++) {
      const lost = db.transaction(async (trx) => {
        await trx("things").insert({ name: "kept?", big: round });
        assert.is((await trx("things").where("big", round).first("name"))?.name, "kept?");
        throw new Error("no");
      });
      assert.is(await lost.catch((error: Error) => error.message), "no");
    }
    assert.equal(await db.knex("things"), []);
  });

  it("A repeated statement keeps working after columns of its table were added and removed", async (fresh) => {
    const db = await things(fresh);
    const other = await fresh.open();
    const first = () => db.knex("things").where("big", 1).first();
    for (let round = 0; round < 4; round++) {
      await db.knex("things").insert({ big: 1 });
      await first();
    }
    const schema = new Schema(other.knex);
    await schema.addColumns("things", (t) => t.string("later").default("on"));
    await schema.removeColumns("things", ["score"]);
    const row = await first();
    assert.is(row.later, "on");
    assert.not("score" in row);
    await db.knex("things").insert({ big: 2 });
    assert.is((await db.knex("things").where("big", 2).first()).later, "on");
  });

  it("A repeated statement emits the events of queries, and its error contains the query without values", async (fresh) => {
    const { knex } = await things(fresh);
    const told: string[] = [];
    for (const event of ["query", "query-response", "query-error"]) knex.on(event, () => told.push(event));
    for (let round = 0; round < 4; round++) await knex("things").insert({ id: round + 1, name: "secret" });
    assert.equal(told, Array(4).fill(["query", "query-response"]).flat());
    told.length = 0;
    const error = await knex("things")
      .insert({ id: 1, name: "secret" })
      .catch((failed: Error) => failed as Error & Record<string, unknown>);
    assert.equal(told, ["query", "query-error"]);
    assert.match((error as Error).message, /^insert into [`"]things[`"]/);
    assert.not.match(JSON.stringify({ ...(error as object), message: (error as Error).message }), /secret/);
  });

  if (name !== "mysql") return;

  it("A repeated statement compares a number with a text as the first one does", async (fresh) => {
    const { knex } = await things(fresh);
    await knex("things").insert([{ name: "abc" }, { name: "7" }, { name: "7x" }]);
    const found = async () => (await knex("things").where("name", 7).orderBy("id").first("name")) as { name: string };
    const first = await found();
    for (let round = 0; round < 4; round++) assert.equal(await found(), first);
    assert.is(first.name, "7");
  });

  it("Writes and queries of one row use the binary protocol, unless values of times or floats would differ", async (fresh) => {
    const { knex } = await things(fresh);
    const prepared = async () =>
      Number((await knex.raw("show session status like 'Com_stmt_execute'"))[0][0].Value as string);
    const runs = async (work: () => PromiseLike<unknown>) => {
      for (let round = 0; round < 3; round++) await work();
      const before = await prepared();
      await work();
      return (await prepared()) - before;
    };
    assert.is(await runs(() => knex("things").insert({ name: "a", big: 1 })), 1);
    assert.is(await runs(() => knex("things").where("name", "a").update({ big: 2 })), 1);
    assert.is(await runs(() => knex("things").where("big", 2).first("name", "at")), 1);
    assert.is(await runs(() => knex("things").where("big", 2).first()), 0, "a time is not the same in it");
    assert.is(await runs(() => knex("things").where("big", 2).limit(20)), 0);
    assert.is(await runs(() => knex("things").insert({ score: 1.5 })), 0, "a fraction is a float in it");
    assert.is(await runs(() => knex.raw("select 'a\\\\?' as a, ? as b limit ?", ["x", 1])), 0);
  });

  it("Statements continue after the server ended the connection or allows no prepared statements", async (fresh) => {
    const db = await things(fresh);
    const other = await fresh.open();
    const insert = () => db.knex("things").insert({ name: "a" });
    for (let round = 0; round < 4; round++) await insert();
    const [[{ id }]] = await db.knex.raw("select connection_id() as id");
    await other.knex.raw(`kill ${Number(id)}`);
    await insert().catch(() => undefined); // the pool may notice only now
    await insert();
    const [[{ room }]] = await other.knex.raw("select @@global.max_prepared_stmt_count as room");
    try {
      await other.knex.raw("set global max_prepared_stmt_count = 0");
      for (let round = 0; round < 5; round++) await db.knex("things").insert({ big: round });
    } finally {
      await other.knex.raw(`set global max_prepared_stmt_count = ${Number(room)}`);
    }
    assert.is((await db.knex("things").whereNotNull("big")).length, 5);
  });
});
