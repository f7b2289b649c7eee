import { Model, type Rules, Schema, type ValidationError } from "framewright/plugins/database";
import { assert, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

async function people(fresh: Fresh, validations: Record<string, object>) {
  class Person extends Model("people") {
    static override validations = validations as Record<string, Rules>;
  }
  const first = await fresh.open();
  await new Schema(first.knex).createTable("people", (t) => {
    t.id();
    t.string("name");
    t.string("email");
    t.integer("age");
  });
  const db = await fresh.open({ Person: Person });
  const problems = async (given: object) => {
    try {
      await db.query(Person).insert(given);
      return {};
    } catch (error) {
      return (error as ValidationError).fields;
    }
  };
  return { db, Person, problems };
}

const WEIGHT = "has at most 2 decimal places";

async function dogs(fresh: Fresh) {
  class Dog extends Model("dogs") {
    static override validations = { weight: { numericality: { greaterThan: 0, lessThan: 2000 } } };
  }
  const first = await fresh.open();
  await new Schema(first.knex).createTable("dogs", (t) => {
    t.id();
    t.decimal("weight", 6, 2);
    t.decimal("dose", 12, 9);
    t.decimal("paws", 4, 0);
  });
  const db = await fresh.open({ Dog });
  /** The errors by field; none where the record is stored. */
  const errorsOf = async (run: () => Promise<unknown>): Promise<Record<string, string[]>> => {
    try {
      await run();
      return {};
    } catch (error) {
      return (error as ValidationError).fields;
    }
  };
  const insert = (values: object) => errorsOf(async () => await db.query(Dog).insert(values));
  const patch = (values: object) => errorsOf(async () => await db.query(Dog).patch(values));
  const read = async () => (await db.query(Dog)) as unknown as Record<string, unknown>[];
  return { db, Dog, errorsOf, insert, patch, read };
}

eachDatabase("Validations", (it) => {
  it("An attribute is checked for length, inclusion, format, exclusion, range and acceptance", async (fresh) => {
    const { problems } = await people(fresh, {
      name: { length: { minimum: 2, maximum: 5 }, inclusion: ["Ada", "Bob", "toolong", "x"] },
      email: {
        format: { with: /^[^@]+@[^@]+$/g, message: "is no address" },
        exclusion: { in: ["root@x"], message: "is ours" },
      },
      age: { numericality: { greaterThanOrEqualTo: 18, lessThan: 100 } },
      terms: { acceptance: true },
    });
    assert.equal(await problems({ name: "Ada", email: "a@b", age: 18, terms: "1" }), {});
    assert.equal(await problems({ terms: true }), {});
    assert.equal(await problems({ name: "x", email: "ab", age: 17 }), {
      name: ["is too short (at least 2 characters)"],
      email: ["is no address"],
      age: ["must be greater than or equal to 18"],
      terms: ["must be accepted"],
    });
    assert.equal(await problems({ name: "toolong", email: "root@x", age: "abc", terms: true }), {
      age: ["is not a number"],
      name: ["is too long (at most 5 characters)"],
      email: ["is ours"],
    });
  });

  it("A decimal with more places than its column has is refused, because rules would not see the rounded value", async (fresh) => {
    const { db, Dog, errorsOf, insert, patch, read } = await dogs(fresh);
    for (const weight of ["1999.999", "0.001", "4.255", " 4.255 ", "4.2500001", 0.1 + 0.2, 4.255, 1e-7, 5e-324])
      assert.equal(await insert({ weight }), { weight: [WEIGHT] }, String(weight));
    assert.equal(await errorsOf(() => db.insert(Dog, { weight: "4.255" })), { weight: [WEIGHT] });
    assert.equal(await insert({ paws: "3.5" }), { paws: ["must be a whole number"] });
    assert.equal(await read(), []);
    await db.query(Dog).insert({ weight: "4.5" } as never);
    for (const weight of ["4.255", 0.1 + 0.2]) assert.equal(await patch({ weight }), { weight: [WEIGHT] });
    assert.is((await read())[0]!.weight, "4.50");
  });

  it("A decimal is accepted with zeros after its last place, and as a number", async (fresh) => {
    const { insert, read } = await dogs(fresh);
    for (const weight of ["4.500", "4.5", "4.", "+4.50", " 4.5 ", "0004.50000000", 4.5, 4])
      assert.equal(await insert({ weight, paws: "4.00" }), {}, String(weight));
    const weights = (await read()).map(({ weight }) => weight);
    assert.equal(weights, ["4.50", "4.50", "4.00", "4.50", "4.50", "4.50", "4.50", "4.00"]);
    assert.equal(await insert({ dose: 1.5e-7 }), {});
    assert.is((await read()).at(-1)!.dose, "0.000000150");
  });

  it("A custom validation gets the value and the record", async (fresh) => {
    const { problems } = await people(fresh, {
      name: {
        custom: async (value: unknown, record: { age?: number }) =>
          value === "Bob" && record.age === 1 ? "is too young" : undefined,
      },
    });
    assert.equal(await problems({ name: "Bob", age: 1 }), { name: ["is too young"] });
    assert.equal(await problems({ name: "Bob", age: 2 }), {});
  });

  it("FW_VALIDATION_UNKNOWN suggests the name of an unknown rule, and FW_MODEL_SHAPE that of an unknown attribute", async (fresh) => {
    const error = await throwsCode("FW_VALIDATION_UNKNOWN", () => people(fresh, { name: { presense: true } }));
    assert.match(error.message, /Did you mean "presence"/);
    assert.match(
      (await throwsCode("FW_MODEL_SHAPE", () => people(fresh, { nam: { presence: true } }))).message,
      /Did you mean "name"/,
    );
  });
});
