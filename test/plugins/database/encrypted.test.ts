import { existsSync, readFileSync } from "node:fs";
import type { Finding } from "framewright/host";
import {
  BaseModel,
  type Database,
  findOrCreate,
  Model,
  type ModelClass,
  Schema,
  type ValidationError,
  whereEncrypted,
} from "framewright/plugins/database";
import { assert, describe } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

const NEW = "new-secret-".repeat(6);
const OLD = "old-secret-".repeat(6);

const modelOf = (encrypts: object, more: object = {}): ModelClass =>
  Object.assign(class Person extends Model("people") {}, { encrypts, ...more }) as unknown as ModelClass;
const plainly = () => modelOf({});
const encrypted = (more: object = {}) =>
  modelOf(
    { ssn: {}, email: { searchable: true }, note: {} },
    { validations: { email: { uniqueness: true } }, ...more },
  );

async function createPeople({ open }: Fresh): Promise<void> {
  const database = await open();
  const schema = new Schema(database.knex);
  await schema.createTable("people", (t) => {
    t.id();
    t.string("name");
    t.string("ssn");
    t.string("email").unique();
    t.text("note");
    t.string("short", 40);
    t.string("state", 200).default("new");
    t.integer("age");
  });
}
const opened = async (fresh: Fresh, cls: ModelClass, secrets: readonly string[] = [NEW]): Promise<Database> =>
  fresh.open({ Person: cls }, { secrets });

type Values = Record<string, string | null>;
const insert = (database: Database, cls: ModelClass, values: Values) =>
  database.insert(cls, values) as Promise<BaseModel & { id: number } & Values>;
const stored = (database: Database, id = 1): Promise<Values> => database.knex("people").where({ id }).first();

async function failureOf(work: () => Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it did not fail");
}

eachDatabase("Encrypted attributes", (it) => {
  it("After the encryption nothing of the plain values is left in SQLite's files", async (fresh) => {
    if (fresh.name !== "sqlite") return;
    await createPeople(fresh);
    const plain = plainly();
    const before = await opened(fresh, plain);
    const rows = Array.from({ length: 3000 }, (_, index) => ({
      name: `n${index}`,
      ssn: `plain-${index}-value`,
      note: "plain-note".repeat(20),
    }));
    for (let at = 0; at < rows.length; at += 100) await before.knex("people").insert(rows.slice(at, at + 100));
    await before.knex("people").where("id", "<", 500).delete();
    const Person = encrypted({
      encrypts: { ssn: { allowPlaintext: true }, note: { allowPlaintext: true } },
      validations: {},
    });
    const database = await opened(fresh, Person);
    await database.encryptRows();
    const file = fresh.url.replace(/^sqlite:/, "");
    const bytes = [file, `${file}-wal`].map((path) => (existsSync(path) ? readFileSync(path, "latin1") : "")).join("");
    assert.ok(bytes.length > 100_000);
    assert.is((bytes.match(/plain-\d+-value|plain-note/g) ?? []).length, 0);
  });

  it("A record reads and writes them as they are, and the database has neither them nor their length of zero", async (fresh) => {
    await createPeople(fresh);
    const Person = encrypted();
    const database = await opened(fresh, Person);
    const made = await insert(database, Person, { name: "Ada", ssn: "078-05-1120", email: "ada@x.test", note: "" });
    assert.is(made.ssn, "078-05-1120");
    const row = await stored(database);
    assert.not.match(JSON.stringify(row), /078|ada@x/);
    assert.match(row.ssn!, /^fw1r:/);
    assert.match(row.email!, /^fw1s:/);
    assert.ok(row.note!.length > 30);
    for (const query of [() => database.query(Person), () => database.query(Person).where("id", 1)]) {
      const [found] = (await query()) as unknown as Values[];
      assert.equal([found!.ssn, found!.email, found!.note], ["078-05-1120", "ada@x.test", ""]);
      const fast = (await database.readFirst(query())) as unknown as Values;
      assert.equal({ ...fast }, { ...found });
    }
    await database
      .query(Person)
      .patch({ ssn: null, note: "ü€🎉" } as never)
      .where("id", 1);
    assert.is((await stored(database)).ssn, null);
    const again = (await database.readFirst(database.query(Person))) as unknown as Values;
    assert.equal([again.ssn, again.note], [null, "ü€🎉"]);
  });

  it("Equal values are stored differently, unless they are searchable; whereEncrypted and findOrCreate find those", async (fresh) => {
    await createPeople(fresh);
    const Person = encrypted({ validations: {} });
    const database = await opened(fresh, Person);
    await insert(database, Person, { ssn: "1", email: "a@x.test" });
    await insert(database, Person, { ssn: "1", email: null });
    const [one, two] = await Promise.all([stored(database, 1), stored(database, 2)]);
    assert.is.not(one.ssn, two.ssn);
    const ids = async (value: string | null) =>
      (await whereEncrypted(database.query(Person), "email", value)).map((record) => record.$id());
    assert.equal([await ids("a@x.test"), await ids("A@x.test"), await ids(null)], [[1], [], [2]]);
    const same = await findOrCreate(Person as never, { email: "a@x.test" });
    assert.is((same as BaseModel).$id(), 1);
    assert.is(
      (await failureOf(async () => whereEncrypted(database.query(Person), "ssn", "1"))).code,
      "FW_ENCRYPTED_QUERY",
    );
    assert.is(
      (await failureOf(async () => whereEncrypted(database.query(Person), "name", "1"))).code,
      "FW_ENCRYPTED_QUERY",
    );
  });

  it("A searchable one is unique by its rule, and by an index where two are as fast as each other", async (fresh) => {
    await createPeople(fresh);
    const Person = encrypted();
    const database = await opened(fresh, Person);
    await insert(database, Person, { email: "a@x.test" });
    const taken = await failureOf(() => insert(database, Person, { email: "a@x.test" }));
    assert.equal((taken as ValidationError).fields, { email: ["has already been taken"] });
    const Loose = encrypted({ validations: {} });
    const other = await opened(fresh, Loose);
    const raced = await failureOf(() => insert(other, Loose, { email: "a@x.test" }));
    assert.equal((raced as ValidationError).fields, { email: ["has already been taken"] });
    assert.not.match(`${raced.message} ${raced.cause}`, "a@x.test");
  });

  it("A ciphertext opens in no other column and table, under no other secret, and not when it was changed", async (fresh) => {
    await createPeople(fresh);
    const Person = encrypted();
    const database = await opened(fresh, Person);
    await insert(database, Person, { ssn: "first", note: "second", email: "e@x.test" });
    const { ssn, note, email } = await stored(database);
    const bad = [
      note!,
      email!,
      "plain",
      "",
      "fw1r:",
      `${ssn!.slice(0, -2)}AA`,
      ssn!.slice(0, 40),
      ssn!.replace("fw1r", "fw1s"),
    ];
    for (const value of bad) {
      await database.knex("people").where({ id: 1 }).update({ ssn: value });
      for (const read of [() => database.readFirst(database.query(Person)), () => database.query(Person).first()]) {
        const error = await failureOf(async () => read());
        assert.is(error.code, "FW_ENCRYPTED_VALUE", value);
        assert.match(error.message, "people.ssn in the row 1");
        assert.not.match(error.message, /plain|fw1/);
      }
    }
    await database.knex("people").where({ id: 1 }).update({ ssn });
    const stranger = await opened(fresh, Person, [OLD]);
    assert.is((await failureOf(async () => stranger.query(Person))).code, "FW_ENCRYPTED_VALUE");
    const table = new Schema(database.knex);
    await table.createTable("others", (t) => {
      t.id();
      t.string("ssn");
    });
    await database.knex("others").insert({ ssn });
    const Other = Object.assign(class Other extends Model("others") {}, {
      encrypts: { ssn: {} },
    }) as never as ModelClass;
    const moved = await fresh.open({ Other }, { secrets: [NEW] });
    assert.is((await failureOf(async () => moved.query(Other))).code, "FW_ENCRYPTED_VALUE");
    const Bound = Object.assign(class Bound extends Model("others") {}, {
      encrypts: { ssn: { boundTo: "people.ssn" } },
    });
    const renamed = await fresh.open({ Bound: Bound as never }, { secrets: [NEW] });
    assert.is(((await renamed.query(Bound as never).first()) as unknown as Values).ssn, "first");
  });

  it("Previous secrets keep opening, searching and being unique; the current one writes", async (fresh) => {
    await createPeople(fresh);
    const Person = encrypted();
    const before = await opened(fresh, Person, [OLD]);
    await insert(before, Person, { ssn: "1", email: "a@x.test" });
    const old = await stored(before);
    const After = encrypted();
    const after = await opened(fresh, After, [NEW, OLD]);
    const found = (await whereEncrypted(after.query(After), "email", "a@x.test").first()) as unknown as Values;
    assert.is(found.ssn, "1");
    assert.is((await failureOf(() => insert(after, After, { email: "a@x.test" }))).code, "FW_INVALID");
    await after
      .query(After)
      .patch({ ssn: "1" } as never)
      .where("id", 1);
    const { ssn, email } = await stored(after);
    assert.is(email, old.email);
    assert.is.not(ssn, old.ssn);
    assert.equal(await after.encryptRows(undefined, { writes: false }), [
      { model: "Person", table: "people", encrypted: 1, plain: 0, lost: 0, long: 0, taken: 0 },
    ]);
    assert.is((await after.encryptRows("Person"))[0]!.encrypted, 1);
    assert.is((await after.encryptRows("Person"))[0]!.encrypted, 0);
    const Last = encrypted();
    const last = await opened(fresh, Last, [NEW]);
    const kept = (await whereEncrypted(last.query(Last), "email", "a@x.test").first()) as unknown as Values;
    assert.equal([kept.ssn, kept.email], ["1", "a@x.test"]);
    assert.is((await failureOf(() => last.encryptRows("Persn"))).code, "FW_ENCRYPTED_MODEL");
  });

  it("Rows from before are read where that is allowed, and encrypted in batches; what opens under no secret is counted", async (fresh) => {
    await createPeople(fresh);
    const Plain = plainly();
    const before = await opened(fresh, Plain);
    const rows = Array.from({ length: 1203 }, (_, at) => ({ ssn: `${at}`, email: `${at}@x.test`, name: "n" }));
    for (let at = 0; at < rows.length; at += 300) await before.knex("people").insert(rows.slice(at, at + 300));
    const Strict = encrypted();
    const strict = await opened(fresh, Strict);
    assert.is((await failureOf(async () => strict.query(Strict))).code, "FW_ENCRYPTED_VALUE");
    const Lenient = modelOf({ ssn: { allowPlaintext: true }, email: { searchable: true, allowPlaintext: true } });
    const lenient = await opened(fresh, Lenient);
    const seen = (await whereEncrypted(lenient.query(Lenient), "email", "7@x.test").first()) as unknown as Values;
    assert.is(seen.ssn, "7");
    await lenient
      .query(Lenient)
      .patch({ ssn: "changed" } as never)
      .where("id", 1);
    assert.is((await strict.encryptRows())[0]!.encrypted, 1203);
    const clean = await whereEncrypted(strict.query(Strict), "email", "1202@x.test");
    assert.equal(
      clean.map((one) => (one as unknown as Values).ssn),
      ["1202"],
    );
    assert.is(((await strict.query(Strict).findById(1)) as unknown as Values).ssn, "changed");
    await strict.knex("people").where({ id: 3 }).update({ ssn: "fw1r:none" });
    assert.equal((await strict.encryptRows())[0], {
      model: "Person",
      table: "people",
      encrypted: 0,
      plain: 0,
      lost: 1,
      long: 0,
      taken: 0,
    });
  });

  it("fw doctor finds rows that are not encrypted, that a previous secret encrypts, that are too long and that nothing opens", async (fresh) => {
    await createPeople(fresh);
    const findingOf = async (cls: ModelClass, secrets: readonly string[] = [NEW]) => {
      const database = await opened(fresh, cls, secrets);
      const found = (await database.examine()).filter(({ what }) => what.startsWith("encrypted"));
      const [{ what, ok, detail }, more] = found as [Finding, ...Finding[]];
      assert.equal([what, more], ["encrypted attributes of Person", undefined]);
      return { database, ok, detail };
    };
    const Lenient = modelOf({ ssn: { allowPlaintext: true } });
    const { database } = await findingOf(Lenient);
    await database.knex("people").insert([{ ssn: "1" }, { ssn: "2" }, { ssn: null }]);
    const plain = await findingOf(Lenient);
    const run = "2 rows with values that are not encrypted: run fw db:encrypt Person";
    assert.equal([plain.ok, plain.detail], [false, run]);
    const Strict = modelOf({ ssn: {} });
    assert.match(
      (await findingOf(Strict)).detail,
      `${run}; until then they can't be read, unless ssn have allowPlaintext`,
    );
    await database.encryptRows();
    const done = { ok: true, detail: "ssn: all rows by the current secret; allowPlaintext of ssn can be taken away" };
    const { database: _, ...lenient } = await findingOf(Lenient);
    assert.equal(lenient, done);
    assert.is((await findingOf(Strict)).detail, "ssn: all rows by the current secret");
    const rotated = await findingOf(Strict, [OLD, NEW]);
    assert.equal([rotated.ok, /^2 rows encrypted by a previous secret/.test(rotated.detail)], [false, true]);
    const lost = await findingOf(Strict, [OLD]);
    assert.equal([lost.ok, /^2 rows that open under no secret/.test(lost.detail)], [false, true]);
    await database
      .knex("people")
      .where({ id: 1 })
      .update({ ssn: "x".repeat(200) });
    const long = await findingOf(Strict);
    assert.match(long.detail, "1 row with values that are too long for their column once encrypted: make it t.text");
    const [count] = await long.database.encryptRows();
    assert.equal([count!.encrypted, count!.long, (await stored(database)).ssn], [0, 1, "x".repeat(200)]);
  });

  it("A value whose ciphertext would not fit is refused with a sentence", async (fresh) => {
    await createPeople(fresh);
    const Person = encrypted();
    const database = await opened(fresh, Person);
    await insert(database, Person, { ssn: "x".repeat(159) });
    for (const ssn of ["x".repeat(160), "ü".repeat(80)]) {
      const error = (await failureOf(() => insert(database, Person, { ssn }))) as ValidationError;
      assert.equal(error.fields, { ssn: ["is too long (at most 159 characters)"] });
    }
    await insert(database, Person, { note: "x".repeat(100_000) });
    assert.is(((await database.query(Person).findById(2)) as unknown as Values).note!.length, 100_000);
  });

  it("What can't be encrypted is refused at boot, with the fix", async (fresh) => {
    await createPeople(fresh);
    const refused: [object, object, string, RegExp][] = [
      [{ age: {} }, {}, "FW_ENCRYPTED_COLUMN", /is of the type integer. Make it text/],
      [{ short: {} }, {}, "FW_ENCRYPTED_COLUMN", /holds 40 characters/],
      [{ ssn: {} }, { validations: { ssn: { length: { maximum: 200 } } } }, "FW_ENCRYPTED_COLUMN", /of 200 characters/],
      [{ id: {} }, {}, "FW_ENCRYPTED_COLUMN", /is a key/],
      [{ state: {} }, {}, "FW_ENCRYPTED_COLUMN", /has a default in the database/],
      [{ name: {} }, { enums: { name: ["a"] } }, "FW_ENCRYPTED_COLUMN", /has a list of values/],
      [{ email: {} }, {}, "FW_ENCRYPTED_COLUMN", /must be unique/],
      [
        { ssn: {} },
        { validations: { name: { uniqueness: { scope: "ssn" } } } },
        "FW_ENCRYPTED_COLUMN",
        /must be unique/,
      ],
      [{ ssn: { serchable: true } }, {}, "FW_ENCRYPTED_OPTION", /Did you mean "searchable"/],
      [
        { email: { searchable: true } },
        { paramKey: "email" },
        "FW_PARAM_KEY",
        /is encrypted, and addresses stand in logs/,
      ],
      [{ ssn: {} }, { paramKey: "email", slug: { from: "ssn" } }, "FW_SLUG", /would show "ssn", which is encrypted/],
      [{ snn: {} }, {}, "FW_MODEL_SHAPE", /an encryption for "snn".*Did you mean "ssn"/],
    ];
    for (const [encrypts, more, code, text] of refused) {
      const error = await failureOf(() => opened(fresh, modelOf(encrypts, more)));
      assert.is(error.code, code, error.message);
      assert.match(error.message, text);
    }
    assert.is((await failureOf(() => opened(fresh, encrypted(), []))).code, "FW_ENCRYPTED_SECRET");
  });
});

describe("Models without encrypted attributes", (it) => {
  it("They have no ciphers", () => assert.equal(BaseModel.encrypts, {}));
});
