import { Model, type Rules, Schema, type ValidationError } from "framewright/plugins/database";
import { assert, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

async function people(fresh: Fresh, validations: Record<string, object>) {
  class Person extends Model("people") {
    static override validations = validations as Record<string, Rules>;
  }
  const first = await fresh.open();
  await new Schema(first.knex, first.client).createTable("people", (t) => {
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
