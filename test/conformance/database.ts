// What every filler of the slot "database", and every connection given to its hook, must do. Uses node:assert alone,
// so that it runs under any test runner: for (const { sentence, check } of databaseConformance) test(sentence, () => check(service)).
import assert from "node:assert/strict";
import { belongsTo, type Database, hasMany, Model, Schema, ValidationError } from "framewright/plugins/database";

export interface Conformance {
  sentence: string;
  check(database: Database): Promise<void>;
}

class Owner extends Model("conformance_owners") {
  static override associations = { things: hasMany({ class: "Conformance::Thing" }) };
}
class Thing extends Model("conformance_things") {
  static override associations = { owner: belongsTo({ class: "Conformance::Owner" }) };
}

/** Runs the work on two fresh tables with their models. */
async function withTables(database: Database, work: () => Promise<void>): Promise<void> {
  const schema = new Schema(database.knex);
  const drop = async () => {
    for (const table of ["conformance_things", "conformance_owners"]) await schema.dropTable(table);
  };
  await drop();
  await schema.createTable("conformance_owners", (t) => {
    t.id();
    t.string("name", 20).notNull().unique();
  });
  await schema.createTable("conformance_things", (t) => {
    t.id();
    t.belongsTo("owner", { table: "conformance_owners", null: false });
    t.datetime("at");
    t.date("due_on");
    t.boolean("open");
    t.decimal("amount", 10, 2);
    t.json("data");
    t.lockVersion();
    t.timestamps();
  });
  database.register("Conformance::Owner", Owner, "owner.ts");
  database.register("Conformance::Thing", Thing, "thing.ts");
  await database.link();
  await work().finally(drop);
}

async function fieldsOf(run: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    assert.ok(error instanceof ValidationError, String(error));
    return error.fields;
  }
  throw new Error("expected a ValidationError, and nothing was thrown");
}

export const databaseConformance: readonly Conformance[] = [
  { sentence: "The database answers a ping", check: (database) => database.ping() },
  {
    sentence: "Inserted values are read back unchanged",
    check: (database) =>
      withTables(database, async () => {
        const owner = await database.query(Owner).insert({ name: "Ärger 🚀" });
        const at = new Date("2026-01-31T23:59:59.123Z");
        const given = {
          owner_id: owner.$id(),
          at,
          due_on: "2026-02-28",
          open: false,
          amount: "12.50",
          data: { a: [1, null] },
        };
        const { id } = await database.query(Thing).insert(given);
        const [read] = await database.query(Thing).where("at", at).withGraphFetched("owner");
        for (const [name, value] of Object.entries(given)) assert.deepEqual(read?.[name], value, name);
        assert.equal(read?.id, id);
        assert.equal((read?.owner as Record<string, unknown> | undefined)?.name, "Ärger 🚀");
        assert.ok(read?.created_at instanceof Date);
      }),
  },
  {
    sentence: "Violated constraints are reported as field errors",
    check: (database) =>
      withTables(database, async () => {
        const owner = await database.query(Owner).insert({ name: "one" });
        await database.query(Thing).insert({ owner_id: owner.$id() });
        assert.deepEqual(await fieldsOf(() => database.query(Owner).insert({ name: "ONE" })), {
          name: ["has already been taken"],
        });
        assert.deepEqual(await fieldsOf(() => database.query(Owner).insert({})), { name: ["can't be blank"] });
        assert.deepEqual(await fieldsOf(() => database.query(Owner).insert({ name: "x".repeat(21) })), {
          name: ["is too long (at most 20 characters)"],
        });
        assert.deepEqual(await fieldsOf(() => database.query(Thing).insert({ owner_id: 99 })), {
          owner: ["must be chosen"],
        });
        assert.deepEqual(await fieldsOf(() => database.query(Owner).deleteById(owner.$id())), {
          base: ["can't be deleted: other records refer to it"],
        });
      }),
  },
  {
    sentence: "A failed transaction stores nothing, and a committed one stores its record",
    check: (database) =>
      withTables(database, async () => {
        const failing = database.transaction(async (trx) => {
          await database.query(Owner, trx).insert({ name: "gone" });
          throw new Error("no");
        });
        await assert.rejects(failing, /no/);
        assert.equal((await database.query(Owner)).length, 0);
        assert.equal(
          await database.transaction(async (trx) =>
            (await database.query(Owner, trx).insert({ name: "kept" })).toLabel(),
          ),
          "kept",
        );
        assert.equal((await database.query(Owner)).length, 1);
      }),
  },
  {
    sentence: "A table is described with the columns, references, precisions and defaults that it was created with",
    check: (database) =>
      withTables(database, async () => {
        const columns = new Map(
          (await database.introspect("conformance_things")).map((column) => [column.name, column]),
        );
        const types = [
          "bigint",
          "bigint",
          "datetime",
          "date",
          "boolean",
          "decimal",
          "json",
          "integer",
          "datetime",
          "datetime",
        ];
        assert.deepEqual(
          [...columns.values()].map(({ type }) => type),
          types,
        );
        const { onDelete = "restrict", ...reference } = columns.get("owner_id")?.references ?? {
          table: "",
          column: "",
        };
        assert.deepEqual(reference, { table: "conformance_owners", column: "id" });
        assert.strictEqual(onDelete, "restrict", "the rule of a foreign key, where the driver tells it");
        assert.deepEqual([columns.get("amount")?.precision, columns.get("amount")?.scale], [10, 2]);
        assert.deepEqual([columns.get("lock_version")?.default, columns.get("lock_version")?.nullable], [0, false]);
        assert.ok((await database.tables()).includes("conformance_owners"));
      }),
  },
  {
    sentence: "Records are read by query and by key, with what they belong to, and counted no further than is wanted",
    check: (database) =>
      withTables(database, async () => {
        const things = database.model(Thing as never);
        const ids: number[] = [];
        for (const name of ["one", "two", "three"]) {
          const owner = await database.query(Owner).insert({ name });
          ids.push(Number((await database.query(Thing).insert({ owner_id: owner.$id(), open: true })).$id()));
        }
        const query = () => database.query(Thing).orderBy("id", "desc");
        const read = await database.read(query(), ["owner"]);
        assert.deepEqual(
          read.map((thing) => (thing.owner as unknown as Record<string, unknown>).name),
          ["three", "two", "one"],
        );
        assert.equal((await database.readFirst(query()))?.$id(), ids[2]);
        assert.equal((await database.readByKey(things, ids[0]!))?.$id(), ids[0]);
        assert.equal(await database.readByKey(things, 9_999), undefined);
        assert.deepEqual([await database.has(things, ids[1]!), await database.has(things, 9_999)], [true, false]);
        assert.equal(await database.count(database.query(Thing).where("open", true)), 3);
        assert.equal((await database.countUpTo(database.query(Thing) as never, 2)).total, 2);
        const owner = await database.query(Owner).where("name", "two").first();
        assert.deepEqual(
          (await database.related(owner as never, "things")).map((thing) => thing.$id()),
          [ids[1]],
        );
      }),
  },
  {
    sentence: "Rows are inserted, changed and deleted past the rules of models",
    check: (database) =>
      withTables(database, async () => {
        const owners = database.model(Owner as never);
        const id = Number(await database.insertRow("conformance_owners", { name: "raw" }));
        assert.equal(await database.updateRows("conformance_owners", { id }, { name: "changed" }), 1);
        assert.equal(await database.updateRows("conformance_owners", { id: 9_999 }, { name: "nobody" }), 0);
        const rows = () => database.rows(database.knex("conformance_owners").select("id", "name"));
        assert.deepEqual(
          (await rows()).map((row) => [Number(row.id), row.name]),
          [[id, "changed"]],
        );
        assert.equal(await database.changeRows(owners, { id }, { name: "again" }), 1);
        assert.equal((await rows())[0]?.name, "again");
        assert.equal(await database.changeRows(owners, { id }, undefined), 1);
        assert.deepEqual(await rows(), []);
      }),
  },
];
