import { Params } from "framewright";
import { openSealer } from "framewright/host";
import { belongsTo, Model, type Rules, Schema } from "framewright/plugins/database";
import type { StepContext } from "../../../plugins/wizards/contract/index.ts";
import { checkStep } from "../../../plugins/wizards/flow/check_flow.ts";
import { steps } from "../../../plugins/wizards/flow/flow.ts";
import { FlowSteps } from "../../../plugins/wizards/flow/flow_steps.ts";
import { readStep } from "../../../plugins/wizards/flow/read_step.ts";
import { RunCodec } from "../../../plugins/wizards/runs/run.ts";
import { assert, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "../database/support.ts";

const nobody: StepContext = { currentUser: undefined, currentScopedEntity: undefined, anchor: undefined };

/** A table, its model, and a flow that takes the model over. */
async function open(fresh: Fresh) {
  class Company extends Model("companies") {
    static override validations = {
      name: { presence: true, length: { maximum: 10 }, uniqueness: true },
      tagline: { length: { maximum: 5 } },
    };
    static override enums = { plan: ["free", "paid"] };
    static override money = { budget: "budget_cents" };
    static override defaults = { plan: "free" };
  }
  const first = await fresh.open();
  await new Schema(first.knex).createTable("companies", (t) => {
    t.id();
    t.string("name").notNull();
    t.string("tagline");
    t.string("plan");
    t.integer("seats").notNull();
    t.integer("budget_cents");
    t.decimal("share", 5, 2);
    t.datetime("opens_at");
    t.string("api_key");
    t.string("door_pin");
    t.string("access_digest");
    t.text("encrypted_iban");
    t.string("salt");
    t.timestamps();
  });
  const database = await fresh.open({ Company });
  return { Company, database };
}

eachDatabase("A step with the fields of a model", (it) => {
  it("A step of a model has its typed, required and chosen fields, limited by fields and except", async (fresh) => {
    const { Company } = await open(fresh);
    const all = new FlowSteps(steps().step("company", { using: Company }));
    const fields = all.step("company")!.fields.map(({ name, type, options }) => [name, type, options.required]);
    assert.equal(fields, [
      ["name", "string", true],
      ["tagline", "string", false],
      ["plan", "select", false],
      ["seats", "integer", true],
      ["share", "decimal", false],
      ["opens_at", "datetime", false],
      ["budget", "money", false],
    ]);
    assert.equal(all.schema.company, Object.fromEntries(fields.map(([name, type]) => [name, type])));
    assert.equal(all.step("company")!.fields[2]!.options.choices, ["free", "paid"]);
    const some = new FlowSteps(
      steps().step("company", { using: Company, fields: ["name", "tagline"], except: ["name"] }, (f) =>
        f.text("more").integer("tagline"),
      ),
    );
    assert.equal(
      some.step("company")!.fields.map(({ name, type }) => [name, type]),
      [
        ["more", "text"],
        ["tagline", "integer"],
      ],
    );
  });

  it("A step of a model leaves credentials out, and a credential that is named is a password field", async (fresh) => {
    const { Company } = await open(fresh);
    const names = ["api_key", "door_pin", "access_digest", "encrypted_iban", "salt"];
    const all = new FlowSteps(steps().step("company", { using: Company }));
    assert.equal(
      all.step("company")!.fields.filter(({ name }) => names.includes(name)),
      [],
    );
    const named = new FlowSteps(steps().step("company", { using: Company, fields: names }));
    for (const { name, type } of named.step("company")!.fields) assert.is(type, "password", name);
  });

  it("The answers of a wizard are encrypted where a step has an attribute that its model encrypts", async (fresh) => {
    const { Company } = await open(fresh);
    const wizardOf = () => ({
      metadata: { encryptData: false },
      flow: new FlowSteps(steps().step("company", { using: Company, fields: ["tagline"] })),
    });
    const content = {
      staged: { company: { tagline: "marked" } },
      drafts: {},
      persisted: [],
      visited: [],
      reads: {},
      aside: {},
    };
    const stored = () =>
      new RunCodec(openSealer(["s".repeat(32)], "runs")).columns({ ...content, schema: {}, cursor: "" } as never, {
        identity: "one",
        wizard: wizardOf() as never,
      });
    assert.match(String(stored().data), "marked");
    Object.assign(Company, { encrypts: { tagline: {} } });
    await fresh.open({ Company }, { secrets: ["s".repeat(32)] });
    assert.not.match(JSON.stringify(stored()), "marked");
  });

  it("FW_WIZARD_USING suggests the right name for a field that the model lacks", async (fresh) => {
    const { Company } = await open(fresh);
    const error = await throwsCode(
      "FW_WIZARD_USING",
      () => new FlowSteps(steps().step("company", { using: Company, fields: ["tagln"] })).steps,
    );
    assert.match(error.message, /"tagline"/);
  });

  it("A step of a model converts and validates its own fields as the model does, including uniqueness", async (fresh) => {
    const { Company, database } = await open(fresh);
    await database.insert(Company, { name: "Taken", seats: 1 });
    const flow = new FlowSteps(
      steps().step("company", { using: Company, fields: ["name", "tagline", "plan", "budget", "opens_at"] }),
    );
    const step = flow.step("company")!;
    const sent = { name: "Taken", tagline: "too long", plan: "paid", budget: "12.5", opens_at: "2026-01-02T03:04" };
    const { values, errors } = readStep(step, new Params(sent));
    assert.equal(errors, {});
    assert.equal([values.budget, values.opens_at], ["12.50", "2026-01-02T03:04:00.000Z"]);
    assert.equal(await checkStep(step, values, nobody), {
      name: ["has already been taken"],
      tagline: ["is too long (at most 5 characters)"],
    });
    assert.equal(await checkStep(step, { ...values, name: "Free", tagline: null }, nobody), {});
    assert.equal(Object.keys(await checkStep(step, {}, nobody)), ["name"]);
    assert.equal(Object.keys(readStep(step, new Params({ plan: "gold", budget: "much" })).errors), ["plan", "budget"]);
  });

  it("A step of a model refuses a decimal that its column would round", async (fresh) => {
    const { Company } = await open(fresh);
    const step = new FlowSteps(steps().step("company", { using: Company, fields: ["share"] })).step("company")!;
    const check = (share: string | number) => checkStep(step, readStep(step, new Params({ share })).values, nobody);
    for (const share of ["33.333", 0.1 + 0.2])
      assert.equal(await check(share), { share: ["has at most 2 decimal places"] });
    for (const share of ["33.330", 33.3]) assert.equal(await check(share), {});
  });

  it("A unique value that belongs to the run's own anchor or persisted record is accepted", async (fresh) => {
    const { Company, database } = await open(fresh);
    const own = await database.insert(Company, { name: "Own", seats: 1 });
    const other = await database.insert(Company, { name: "Other", seats: 1 });
    const flow = new FlowSteps(steps().step("company", { using: Company, fields: ["name"] }));
    const check = (name: string, context: StepContext, persisted: { model: string; id: string }[] = []) =>
      checkStep(flow.step("company")!, { name }, context, { persisted });
    assert.equal(await check("Own", nobody), { name: ["has already been taken"] });
    assert.equal(await check("Own", { ...nobody, anchor: own }), {});
    assert.equal(await check("Own", nobody, [{ model: "Company", id: String(own.$id()) }]), {});
    const both = [{ model: "Company", id: String(other.$id()) }];
    assert.equal(await check("Own", { ...nobody, anchor: own }, both), {});
    assert.equal(await check("Other", { ...nobody, anchor: own }), { name: ["has already been taken"] });
  });

  it("Custom validations of a model see the stored record and the answers of other steps", async (fresh) => {
    class Stay extends Model("stays") {
      static override validations = {
        until: {
          custom: (until: string | null, { begins }: { begins: string | null }) =>
            until && begins && until < begins ? "is before it begins" : undefined,
        },
      } as Record<string, Rules>;
    }
    const first = await fresh.open();
    await new Schema(first.knex).createTable("stays", (t) => {
      t.id();
      t.date("begins");
      t.date("until");
    });
    const database = await fresh.open({ Stay });
    const flow = new FlowSteps(
      steps()
        .step("first", { using: Stay, fields: ["begins"] })
        .step("last", { using: Stay, fields: ["until"] }),
    );
    const check = (until: string, context: Partial<StepContext>, begins?: string, ...ids: unknown[]) =>
      checkStep(
        flow.step("last")!,
        { until },
        { ...nobody, ...context },
        {
          answers: { flow, staged: begins === undefined ? {} : { first: { begins } } },
          persisted: ids.map((id) => ({ model: "Stay", id: String(id) })),
        },
      );
    const early = { until: ["is before it begins"] };
    const anchor = await database.insert(Stay, { begins: "2026-01-10" });
    assert.equal(await check("2026-01-01", {}), {});
    assert.equal(await check("2026-01-01", {}, "2026-01-10"), early);
    assert.equal(await check("2026-01-11", {}, "2026-01-10"), {});
    assert.equal(await check("2026-01-01", { anchor }), early);
    assert.equal(await check("2026-01-01", {}, undefined, anchor.$id()), early);
    assert.equal(await check("2026-01-11", { anchor }), {});
  });

  it("Uniqueness within a tenant is checked in the tenant of the request or of the anchor", async (fresh) => {
    class Team extends Model("teams") {}
    class Place extends Model("places") {
      static override associations = { team: belongsTo() };
      static override validations = { name: { uniqueness: { scope: "team" } } };
    }
    const first = await fresh.open();
    const schema = new Schema(first.knex);
    await schema.createTable("teams", (t) => {
      t.id();
      t.string("name");
    });
    await schema.createTable("places", (t) => {
      t.id();
      t.string("name");
      t.belongsTo("team");
    });
    const database = await fresh.open({ Team, Place });
    const [ours, theirs] = [await database.insert(Team, { name: "A" }), await database.insert(Team, { name: "B" })];
    const place = await database.insert(Place, { name: "Here", team_id: ours.$id() });
    const step = new FlowSteps(steps().step("place", { using: Place, fields: ["name"] })).step("place")!;
    const check = (context: Partial<StepContext>) => checkStep(step, { name: "Here" }, { ...nobody, ...context });
    assert.equal(await check({ currentScopedEntity: ours }), { name: ["has already been taken"] });
    assert.equal(await check({ currentScopedEntity: theirs }), {});
    assert.equal(await check({ anchor: place }), {});
    const another = await database.insert(Place, { name: "There", team_id: ours.$id() });
    assert.equal(await check({ anchor: another }), { name: ["has already been taken"] });
  });

  it("The uniqueness check of a step sees the uncommitted rows of its transaction", async (fresh) => {
    const { Company, database } = await open(fresh);
    const flow = new FlowSteps(steps().step("company", { using: Company, fields: ["name"] }));
    const errors = await database.transaction(async (transaction) => {
      await database.query(Company, transaction).insert({ name: "New", seats: 1 } as never);
      return checkStep(flow.step("company")!, { name: "New" }, nobody, { transaction });
    });
    assert.equal(errors, { name: ["has already been taken"] });
  });

  it("A step of a model without a table has no fields of it until the table is migrated", async (fresh) => {
    class Later extends Model("laters") {}
    await fresh.open({ Later });
    const flow = new FlowSteps(steps().step("one", { using: Later }, (f) => f.string("own")));
    assert.equal(
      flow.step("one")!.fields.map(({ name }) => name),
      ["own"],
    );
    const database = await fresh.open({ Later });
    await new Schema(database.knex).createTable("laters", (t) => {
      t.id();
      t.string("title");
    });
    await database.link();
    assert.equal(
      flow.step("one")!.fields.map(({ name }) => name),
      ["title", "own"],
    );
  });
});
