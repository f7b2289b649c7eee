import { type BaseController, type ParamObject, Params } from "framewright";
import { succeed } from "framewright/plugins/resources";
import { anchored } from "../../../plugins/wizards/anchored_record.ts";
import type { Staged, StepContext, WizardFlow } from "../../../plugins/wizards/contract/index.ts";
import { checkStep } from "../../../plugins/wizards/flow/check_flow.ts";
import { steps } from "../../../plugins/wizards/flow/flow.ts";
import { FlowSteps } from "../../../plugins/wizards/flow/flow_steps.ts";
import { readStep } from "../../../plugins/wizards/flow/read_step.ts";
import { migrateStaged } from "../../../plugins/wizards/flow/schema.ts";
import { kindOf } from "../../../plugins/wizards/options.ts";
import { isWizardClass, Wizard } from "../../../plugins/wizards/wizard.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";

const nobody: StepContext = { currentUser: undefined, currentScopedEntity: undefined, anchor: undefined };
const read = (flow: WizardFlow, key: string, params: ParamObject, before = {}) =>
  readStep(flow.step(key)!, new Params(params), before);
const check = (flow: WizardFlow, key: string, values: Record<string, unknown>) =>
  checkStep(flow.step(key)!, values, nobody);

describe("The flow of a wizard", (it) => {
  it("Each macro of a flow returns a new flow and leaves the previous one unchanged", () => {
    const one = steps().step("one", {}, (f) => f.string("name"));
    const two = one.step("two", { label: "Two" }).review();
    assert.equal(
      one.declaredSteps.map(({ key }) => key),
      ["one"],
    );
    assert.equal(
      two.declaredSteps.map(({ key }) => key),
      ["one", "two", "review"],
    );
    assert.is(two.onSubmit("one", () => 1).declaredSteps[0]?.onSubmit instanceof Function, true);
    assert.is(two.declaredSteps[0]?.onSubmit, undefined);
  });

  it("A step is visible if its condition holds for the answers of the visible steps before it", () => {
    const asked: unknown[] = [];
    const flow = new FlowSteps(
      steps()
        .step("company", {}, (f) => f.select("plan", ["free", "paid"]))
        .step("billing", { condition: ({ data }) => data.company?.plan === "paid" }, (f) => f.string("vat"))
        .step("last", { condition: ({ data }) => asked.push(data.billing) > 0 }),
    );
    const seen = (staged: Staged) => flow.visible(staged, nobody).map(({ key }) => key);
    assert.equal(seen({}), ["company", "last"]);
    assert.equal(seen({ company: { plan: "paid" }, billing: { vat: "1" } }), ["company", "billing", "last"]);
    assert.equal(seen({ company: { plan: "free" }, billing: { vat: "1" } }), ["company", "last"]);
    assert.equal(asked, [undefined, { vat: "1" }, undefined]);
  });

  it("The data of a flow contains dates, lists, and null for empty answers", () => {
    const flow = new FlowSteps(
      steps()
        .step("a", {}, (f) => f.datetime("at").date("day").boolean("yes").string("name"))
        .step("b", {}, (f) => f.repeated("list", {}, (g) => g.integer("n")).group("g", {}, (g) => g.string("x")))
        .step("c", {}, (f) => f.string("x")),
    );
    const staged = { a: { at: "2026-01-02T03:04:00.000Z", day: "2026-01-02" }, b: { list: [{ n: 1 }, {}] } };
    assert.equal(flow.data(staged), {
      a: { at: new Date(Date.UTC(2026, 0, 2, 3, 4)), day: "2026-01-02", yes: false, name: null },
      b: { list: [{ n: 1 }, { n: null }], g: { x: null } },
    });
  });

  it("The schema of a flow maps each field's path to its type", () => {
    const flow = new FlowSteps(
      steps()
        .step("a", {}, (f) => f.group("g", {}, (g) => g.string("x").repeated("list", {}, (h) => h.file("photo"))))
        .step("b")
        .review(),
    );
    assert.equal(flow.schema, { a: { "g.x": "string", "g.list[].photo": "file" }, b: {} });
  });

  it("FW_WIZARD_STEP_OPTION refuses an unknown option, and FW_WIZARD_STEP_UNKNOWN a handler of an unknown step", async () => {
    const error = await throwsCode("FW_WIZARD_STEP_OPTION", () => steps().step("a", { lable: "A" } as never));
    assert.match(error.message, /"label"/);
    await throwsCode("FW_WIZARD_STEP_UNKNOWN", () =>
      steps()
        .step("a")
        .onSubmit("b" as never, () => 1),
    );
  });
});

describe("The values sent for a step", (it) => {
  const flow = new FlowSteps(
    steps()
      .step("plain", {}, (f) =>
        f
          .string("name")
          .integer("seats")
          .decimal("share")
          .money("budget")
          .boolean("news")
          .date("day")
          .datetime("at")
          .json("extra")
          .email("mail")
          .select("plan", ["free", { value: "paid", label: "Paid" }]),
      )
      .step("many", {}, (f) =>
        f
          .repeated("invites", { maximum: 2 }, (g) => g.email("email").select("role", ["admin", "member"]))
          .group("address", {}, (g) => g.string("city").password("pin")),
      ),
  );

  it("Values sent for a step are converted as those of columns, and unknown names are ignored", () => {
    const { values, errors } = read(flow, "plain", {
      name: "Acme",
      seats: "12",
      share: "0.10",
      budget: "12,5",
      news: ["0", "1"],
      day: "2026-02-28",
      at: "2026-02-28T10:00",
      extra: '{"a":{"__proto__":{"bad":1}}}',
      mail: "a@b.c",
      plan: "paid",
      other: "never looked at",
    });
    assert.equal(errors, {});
    assert.equal(values, {
      name: "Acme",
      seats: 12,
      share: "0.10",
      budget: "12.50",
      news: true,
      day: "2026-02-28",
      at: "2026-02-28T10:00:00.000Z",
      extra: { a: {} },
      mail: "a@b.c",
      plan: "paid",
    });
  });

  it("A value that can't be converted is an error under the name of its field", () => {
    const { values, errors } = read(flow, "plain", {
      name: { a: "1" },
      seats: "1.5",
      share: "much",
      budget: "1e3",
      day: "2026-02-30",
      at: "noon",
      extra: "{",
      mail: "nobody",
      plan: "gold",
    });
    assert.equal(Object.keys(errors), ["name", "seats", "share", "budget", "day", "at", "extra", "mail", "plan"]);
    assert.is(
      Object.values(values).every((value) => value === null || value === false),
      true,
    );
  });

  it("Entries are ordered by number, without the blank ones", () => {
    const invites = [
      { email: "a@b.c", role: "admin" },
      { email: "", role: "" },
      { email: "x@y.z", role: "" },
    ];
    const { values, errors } = read(flow, "many", { invites });
    assert.equal(values.invites, [
      { email: "a@b.c", role: "admin" },
      { email: "x@y.z", role: null },
    ]);
    assert.equal(errors, {});
    const byNumber = read(flow, "many", { invites: { 10: { email: "b@b.b" }, 2: { email: "a@a.a" } } });
    assert.equal(byNumber.values.invites, [
      { email: "a@a.a", role: null },
      { email: "b@b.b", role: null },
    ]);
  });

  it("Too many entries and entries of a wrong shape are errors", () => {
    const invites = ["a@a.a", "b@b.b", "c@c.c"].map((email) => ({ email }));
    assert.equal(Object.keys(read(flow, "many", { invites }).errors), ["invites"]);
    assert.equal(Object.keys(read(flow, "many", { invites: "all" }).errors), ["invites"]);
    assert.equal(Object.keys(read(flow, "many", { invites: { one: {} } }).errors), ["invites"]);
    assert.equal(Object.keys(read(flow, "many", { invites: [{ email: "no" }] }).errors), ["invites.0.email"]);
    assert.equal(Object.keys(read(flow, "many", { address: "here" }).errors), ["address"]);
  });

  it("A password that is not typed again is kept", () => {
    const before = { address: { city: "Bern", pin: "1234" } };
    assert.equal(read(flow, "many", { address: { city: "Basel", pin: "" } }, before).values.address, {
      city: "Basel",
      pin: "1234",
    });
    assert.equal(read(flow, "many", { address: { pin: "9" } }, before).values.address, { city: null, pin: "9" });
  });
});

describe("The validations of a step", (it) => {
  const flow = new FlowSteps(
    steps().step("all", {}, (f) =>
      f
        .string("name", { presence: true, length: { maximum: 3 } })
        .integer("seats", { required: true, numericality: { greaterThan: 0 } })
        .boolean("terms", { acceptance: true })
        .select("plan", ["free"])
        .string("twice", {
          custom: (value: string, record: { name: string }) => (value === record.name ? undefined : "differs"),
        })
        .repeated("invites", { minimum: 1, maximum: 2 }, (g) => g.email("email", { presence: true }))
        .group("address", {}, (g) => g.string("city", { presence: true })),
    ),
  );

  it("Validations of a step are those of models, with errors under each field's path", async () => {
    const wrong = { name: "long", seats: 0, terms: false, plan: "gone", twice: "x", invites: [{ email: "" }] };
    const errors = await check(flow, "all", wrong);
    assert.equal(errors, {
      name: ["is too long (at most 3 characters)"],
      seats: ["must be greater than 0"],
      terms: ["must be accepted"],
      plan: ["is not included in the list"],
      twice: ["differs"],
      "invites.0.email": ["can't be blank"],
      "address.city": ["can't be blank"],
    });
    assert.equal((await check(flow, "all", {})).invites, ["requires at least 1"]);
  });

  it("Valid answers pass the validations of a step", async () => {
    const right = {
      name: "abc",
      seats: 1,
      terms: true,
      plan: null,
      twice: "abc",
      invites: [{ email: "a@b.c" }],
      address: { city: "Bern" },
    };
    assert.equal(await check(flow, "all", right), {});
  });
});

describe("The options of a wizard", (it) => {
  const flow = steps().step("one", {}, (f) => f.string("name"));
  const who = () => 1;

  it("The options of a wizard have defaults and determine the kind of its runs", () => {
    const plain = Wizard(flow);
    assert.equal(plain.metadata, {
      presents: {},
      anchored: undefined,
      concurrencyKey: undefined,
      shared: false,
      oneTime: false,
      anonymous: false,
      navigation: "linear",
      stepper: true,
      onRelaunch: "ask",
      cleanupAfter: undefined,
      encryptData: undefined,
      completed: undefined,
      width: undefined,
    });
    assert.is(kindOf(plain), "tokened");
    assert.is(kindOf(Wizard(flow, { concurrencyKey: who })), "keyed");
    assert.is(kindOf(Wizard(flow, { anchored: anchored({ via: "shop" }) })), "keyed");
    assert.is(kindOf(Wizard(flow, { anonymous: true })), "guest");
    assert.equal([plain, class {}, undefined].map(isWizardClass), [true, false, false]);
  });

  it("FW_WIZARD_OPTIONS refuses options, steps and fields that contradict each other", async () => {
    const none = steps();
    const refused: [sentence: RegExp, make: () => unknown][] = [
      [/sets oneTime without a key/, () => Wizard(flow, { oneTime: true })],
      [/anonymous and shared/, () => Wizard(flow, { anonymous: true, shared: true })],
      [/anonymous and concurrencyKey/, () => Wizard(flow, { anonymous: true, concurrencyKey: who })],
      [/anonymous and oneTime/, () => Wizard(flow, { anonymous: true, oneTime: true })],
      [/no step/, () => Wizard(none)],
      [/no step/, () => Wizard(none.review())],
      [/review\(\) before/, () => Wizard(flow.review().step("two"))],
      [/two steps named "one"/, () => Wizard(flow.step("one"))],
      [/a step "Two"/, () => Wizard(flow.step("Two"))],
      [/a step "completed"/, () => Wizard(flow.step("completed"))],
      [/a step "runs"/, () => Wizard(flow.step("runs"))],
      [/two fields named "a" in the step "two"/, () => Wizard(flow.step("two", {}, (f) => f.string("a").text("a")))],
      [/a field "constructor"/, () => Wizard(flow.step("two", {}, (f) => f.string("constructor")))],
      [/a field "_a"/, () => Wizard(flow.step("two", {}, (f) => f.string("_a")))],
      [
        /two fields named "a" in "g"/,
        () => Wizard(flow.step("two", {}, (f) => f.group("g", {}, (g) => g.string("a").text("a")))),
      ],
      [/no field in "g"/, () => Wizard(flow.step("two", {}, (f) => f.group("g", {}, (g) => g)))],
      [/to be unique/, () => Wizard(flow.step("two", {}, (f) => f.string("a", { uniqueness: true } as never)))],
      [
        /minimum/,
        () => Wizard(flow.step("two", {}, (f) => f.repeated("a", { minimum: 2, maximum: 1 }, (g) => g.string("b")))),
      ],
      [/width/, () => Wizard(flow, { width: "huge" as never })],
      [/cleanupAfter/, () => Wizard(flow, { cleanupAfter: -1 })],
      [/anchored/, () => Wizard(flow, { anchored: {} as never })],
      [/anchored/, () => Wizard(flow, { anchored: { with: [Date], via: "x" } as never })],
    ];
    for (const [sentence, make] of refused) {
      const error = await throwsCode("FW_WIZARD_OPTIONS", make);
      assert.match(error.message, sentence);
    }
  });

  it("FW_WIZARD_OPTION suggests the name of an unknown option, and FW_WIZARD_BULK refuses bulk wizards", async () => {
    const unknown = await throwsCode("FW_WIZARD_OPTION", () => Wizard(flow, { onetime: true } as never));
    assert.match(unknown.message, /"oneTime"/);
    await throwsCode("FW_WIZARD_BULK", () => Wizard(flow, { bulk: true } as never));
    await throwsCode("FW_WIZARD_BULK", () => Wizard(flow, { bulkAction: false } as never));
  });
});

describe("The instance of a wizard", (it) => {
  const flow = steps()
    .step("one", {}, (f) => f.date("day"))
    .step("two", { condition: () => true }, (f) => f.file("logo"));
  class Plain extends Wizard(flow) {
    async execute() {
      return succeed(this.data.one.day);
    }
  }
  const file = { key: "aa/1", filename: "a", type: "b", size: 1 };
  const request = {};
  const controller = { request } as unknown as BaseController;
  const wizard = new Plain({
    ...nobody,
    currentUser: file,
    staged: { one: { day: "2026-01-02" } },
    persisted: {},
    controller,
    transaction: undefined,
  });

  it("A wizard has its answers, its current user and its request", async () => {
    assert.equal(wizard.data, { one: { day: "2026-01-02" } });
    assert.is(wizard.data.two, undefined);
    assert.equal([wizard.currentUser, wizard.currentScopedEntity], [file, undefined]);
    assert.is(wizard.request as unknown, request);
    assert.is((await wizard.execute()).value, "2026-01-02");
    assert.is(wizard.authorize, undefined);
  });

  it("FW_WIZARD_UNANCHORED names a wizard without an anchor whose anchor is read", async () => {
    const error = await throwsCode("FW_WIZARD_UNANCHORED", () => wizard.anchor);
    assert.match(error.message, /^FW_WIZARD_UNANCHORED: Plain /);
  });

  it("A wizard's method keep returns the key of a file and remembers it", () => {
    assert.is(wizard.keep(file), "aa/1");
    assert.equal([...wizard.keptFiles], ["aa/1"]);
  });
});

describe("The migration of answers to changed steps", (it) => {
  const old = new FlowSteps(
    steps()
      .step("company", {}, (f) => f.string("name").integer("seats").string("phone"))
      .step("payment", {}, (f) => f.string("vat"))
      .step("extra", {}, (f) => f.string("x"))
      .step("people", {}, (f) => f.repeated("invites", {}, (g) => g.string("name").string("age"))),
  );
  const staged: Staged = {
    company: { name: "12", seats: 3, phone: "1" },
    payment: { vat: "CHE" },
    extra: { x: "1" },
    people: {
      invites: [
        { name: "Ann", age: "40" },
        { name: "Bo", age: "old" },
      ],
    },
  };

  it("Answers move to a renamed step, and to another type where they can be converted", () => {
    const now = new FlowSteps(
      steps()
        .step("company", {}, (f) => f.integer("name").string("seats"))
        .step("billing", { was: ["pay", "payment"] }, (f) => f.string("vat"))
        .step("people", {}, (f) => f.repeated("invites", {}, (g) => g.string("name").integer("age")))
        .step("fresh", {}, (f) => f.string("x")),
    );
    const moved = migrateStaged(now, old.schema, staged);
    assert.equal(moved.staged, {
      company: { name: 12, seats: "3" },
      billing: { vat: "CHE" },
      people: { invites: [{ name: "Ann", age: 40 }, { name: "Bo" }] },
    });
    assert.equal(moved.renamed, { payment: "billing" });
    assert.equal(moved.dropped, [
      { step: "extra" },
      { step: "company", field: "phone" },
      { step: "people", field: "invites[].age" },
    ]);
    assert.equal(moved.changed, ["people", "fresh"]);
  });

  it("Answers do not move from a former name that another step has now", () => {
    const now = new FlowSteps(
      steps()
        .step("payment", {}, (f) => f.string("vat"))
        .step("billing", { was: "payment" }, (f) => f.string("vat")),
    );
    const moved = migrateStaged(now, { payment: { vat: "string" } }, { payment: { vat: "CHE" } });
    assert.equal([moved.staged, moved.renamed, moved.changed], [{ payment: { vat: "CHE" } }, {}, ["billing"]]);
  });

  it("Answers of a field that changed between value, group and list are dropped", () => {
    const now = new FlowSteps(
      steps().step("a", {}, (f) =>
        f
          .string("g")
          .group("list", {}, (g) => g.string("x"))
          .repeated("text", {}, (g) => g.string("x")),
      ),
    );
    const schema = { a: { "g.x": "string", "list[].x": "string", text: "string" } };
    const moved = migrateStaged(now, schema, { a: { g: { x: "1" }, list: [{ x: "1" }], text: "1" } });
    assert.equal([moved.staged, moved.changed], [{ a: {} }, ["a"]]);
    assert.equal(now.data(moved.staged), { a: { g: null, list: { x: null }, text: [] } });
  });

  it("Answers to unchanged steps stay, and a step with a new required field has to be answered again", () => {
    const same = migrateStaged(old, old.schema, staged);
    assert.equal(same, { staged, dropped: [], renamed: {}, changed: [] });
    const more = new FlowSteps(steps().step("company", {}, (f) => f.string("name").string("must", { presence: true })));
    const short = { company: { name: "string" } };
    assert.equal(migrateStaged(more, short, { company: { name: "A" } }).changed, ["company"]);
    const optional = new FlowSteps(steps().step("company", {}, (f) => f.string("name").string("may")));
    assert.equal(migrateStaged(optional, short, { company: { name: "A" } }).changed, []);
  });
});
