import { BaseController, concern, html } from "framewright";
import { Model, type One } from "framewright/plugins/database";
import { fail as outcome, type Success, succeed } from "framewright/plugins/resources";
import { anchored } from "../../../plugins/wizards/anchored_record.ts";
import type { StagedFile, WizardClass } from "../../../plugins/wizards/contract/index.ts";
import { steps } from "../../../plugins/wizards/flow/flow.ts";
import { WizardGate, type WizardGateMethods } from "../../../plugins/wizards/gate.ts";
import { openRuns } from "../../../plugins/wizards/pages/runs_page.ts";
import { fail } from "../../../plugins/wizards/runs/failure.ts";
import { Wizard } from "../../../plugins/wizards/wizard.ts";
import { assert, describe } from "../../support/index.ts";

declare module "framewright/plugins/database" {
  interface Tables {
    wizard_typed_companies: {
      columns: {
        id: number;
        name: string;
        tagline: string | null;
        founded: Date | null;
        status: string;
        price_cents: number | null;
        owner_id: number | null;
        api_key: string | null;
        created_at: Date;
      };
      associations: { owner: One<"wizard_typed_companies"> };
      money: { price: string | null };
    };
  }
}
class Company extends Model("wizard_typed_companies") {
  greet(): string {
    return this.name;
  }
}
class Shop extends Model("wizard_typed_shops") {
  readonly isShop = true;
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(..._proof: Same<A, B> extends true ? [] : ["these types differ"]): void => undefined;

const dependent = steps()
  .step("first", {}, (f) => f.select("plan", ["free", "paid"]))
  .step("second", {}, (f) =>
    f
      .integer("seats", { required: true })
      .string("why", { required: true, condition: ({ values }) => (values.seats ?? 0) > 9 })
      .association("owner", Company, { required: true })
      .select("kind", ({ values, query }) => (values.seats === 1 ? ["one"] : query(Company)))
      .group("place", { condition: ({ data }) => data.first?.plan === "paid" }, (g) => g.string("city"))
      // @ts-expect-error no such field before this one
      .string("wrong", { condition: ({ values }) => values.saets === 1 })
      // @ts-expect-error no such choice of an earlier step
      .string("other", { condition: ({ data }) => data.first?.plan === "payed" }),
  );
export type Second = Pick<
  NonNullable<(typeof dependent)["answers"]["second"]>,
  "seats" | "why" | "owner" | "kind" | "place"
>;
same<
  Second,
  { seats: number; why: string | null; owner: number; kind: string | null; place: { city: string | null } | null }
>();

const flow = steps()
  .step("company", { label: "Company" }, (f) =>
    f
      .string("name", { presence: true, length: { maximum: 100 } })
      .string("motto", { presence: false })
      .select("plan", ["free", "paid"])
      .radio("size", [{ value: "small", label: "Small" }, "large"], { required: true })
      .integer("seats", { custom: (count) => (count === null || count < 9 ? undefined : "are too many") })
      .boolean("news")
      .date("since", { presence: { message: "when?" } })
      .datetime("opens")
      .money("budget")
      .json("extra"),
  )
  .step("billing", { condition: ({ data }) => data.company?.plan === "paid", was: "payment" }, (f) =>
    f.string("vat", { presence: true }),
  )
  .step("people", {}, (f) =>
    f
      .repeated("invites", { maximum: 5 }, (g) =>
        g.email("email", { presence: true }).select("role", ["admin", "member"]),
      )
      .group("address", {}, (g) => g.string("city")),
  )
  .step("branding", { using: Company, fields: ["tagline", "founded"] }, (f) =>
    f.file("logo", { accept: ["image/png"], custom: (file) => (file && file.size > 10 ? "is too much" : undefined) }),
  )
  .step("rest", { using: Company, except: ["status"] })
  .onSubmit("company", ({ data, query, persist }) => {
    same<typeof data.company.name, string>();
    same<(typeof data)["billing"], { vat: string } | undefined>();
    // @ts-expect-error no such field
    void data.company.nmae;
    return [query(Company), persist];
  })
  .onRollback("billing", ({ data, persisted }) => {
    // @ts-expect-error it may not have been filled in
    void data.company.name;
    return persisted.anything?.toLabel();
  })
  .review({ label: "Review" });

class Onboard extends Wizard(flow, { anchored: anchored({ with: Company }), oneTime: true }) {
  async execute(): Promise<Success> {
    const { company, billing, people, branding, rest } = this.data;
    same<typeof company.name, string>();
    same<typeof company.motto, string | null>();
    same<typeof company.plan, "free" | "paid" | null>();
    same<typeof company.size, "small" | "large">();
    same<typeof company.seats, number | null>();
    same<typeof company.news, boolean>();
    same<typeof company.since, string>();
    same<typeof company.opens, Date | null>();
    same<typeof company.budget, string | null>();
    same<typeof billing, { vat: string } | undefined>();
    same<typeof people.invites, { email: string; role: "admin" | "member" | null }[]>();
    same<typeof people.address.city, string | null>();
    same<typeof branding, { tagline: string | null; founded: Date | null; logo: StagedFile | null }>();
    same<typeof rest, { name: string; tagline: string | null; founded: Date | null; price: string | null }>();
    // @ts-expect-error a review has no answers
    void this.data.review;
    // @ts-expect-error no such step
    void this.data.compny;
    // @ts-expect-error may be absent
    void billing.vat;
    return succeed(this.anchor.greet());
  }
}

describe("The types of a wizard", (it) => {
  it("The data of a wizard is typed by the fields of its steps, and conditional steps may be undefined", () => {
    const face: WizardClass = Onboard;
    assert.equal(face.metadata.anchored?.with, [Company]);
  });

  it("Misspelt options, fields and steps of a wizard are type errors", () => {
    const wrong = () => {
      // @ts-expect-error no such option
      steps().step("one", { lable: "One" });
      // @ts-expect-error a field has no such option
      steps().step("one", {}, (f) => f.string("name", { presense: true }));
      // @ts-expect-error no such attribute of the model
      steps().step("one", { using: Company, fields: ["tagln"] });
      // @ts-expect-error an association is no attribute to type in
      steps().step("one", { using: Company, fields: ["owner"] });
      const one = steps().step("one", {});
      // @ts-expect-error no such step
      one.onSubmit("two", () => undefined);
      // @ts-expect-error no such step before it
      steps().step("one", { condition: ({ data }) => data.two !== undefined });
      // @ts-expect-error the default is none of the choices
      steps().step("one", {}, (f) => f.select("plan", ["free", "paid"], { default: "gold" }));
      steps()
        .step("one", {}, (f) => f.string("name", { presence: true }))
        .review({
          content: async ({ data, query }) => html`${data.one?.name.length} ${(await query(Company)).length}`,
        });
      const before = steps().step("one", {});
      // @ts-expect-error no such option of the review
      before.review({ sumary: false });
      // @ts-expect-error no such step before it
      before.review({ content: ({ data }) => html`${data.two}` });
      // @ts-expect-error a text would not be escaped by its author
      before.review({ content: () => "<b>All right</b>" });
      // @ts-expect-error only a model's attribute can be unique
      steps().step("one", {}, (f) => f.string("name", { uniqueness: true }));
      // @ts-expect-error no such option of a wizard
      Wizard(flow, { onetime: true });
      // @ts-expect-error execute is missing
      class Lazy extends Wizard(flow, {}) {}
      return Lazy;
    };
    assert.type(wrong, "function");
  });

  it("The anchor of a wizard is typed by what it is anchored with", () => {
    const one = steps().step("one", {}, (f) => f.string("name"));
    class Several extends Wizard(one, { anchored: anchored({ with: [Company, Shop] }) }) {
      async execute() {
        same<typeof this.anchor, Company | Shop>();
        return succeed();
      }
    }
    class Through extends Wizard(one, { anchored: anchored<Shop>({ via: "currentShop" }) }) {
      async execute() {
        return succeed(this.anchor.isShop);
      }
    }
    class Failing extends Wizard(one) {
      async execute() {
        const name: string | undefined = this.request.query.string("name");
        if (name === undefined) fail({ name: ["is missing"] }, "Not yet");
        same<typeof name, string>();
        return name === "" ? fail("Give it a name") : succeed(name);
      }
    }
    class Returning extends Wizard(one) {
      // @ts-expect-error that of interactions ends nothing
      async execute() {
        return outcome({ name: ["is missing"] });
      }
    }
    class None extends Wizard(one) {
      async execute() {
        same<typeof this.anchor, never>();
        return succeed();
      }
    }
    const listed = (controller: BaseController, company: Company, shop: Shop) => {
      void openRuns(controller, { wizard: Onboard, anchor: company });
      void [openRuns(controller, { wizard: None }), openRuns(controller, { anchor: shop })];
      // @ts-expect-error it is anchored with another model
      void openRuns(controller, { wizard: Onboard, anchor: shop });
      // @ts-expect-error it has no anchor
      void openRuns(controller, { wizard: None, anchor: shop });
      // @ts-expect-error a name is no wizard
      void openRuns(controller, { wizard: "None" });
    };
    assert.type(listed, "function");
    const gates = (gate: WizardGateMethods) => {
      class Once extends Wizard(one, { concurrencyKey: () => 1, oneTime: true }) {
        async execute() {
          return succeed();
        }
      }
      // @ts-expect-error it is never done
      void [WizardGate(Once), gate.ensureWizardCompleted(Once), gate.ensureWizardCompleted(None)];
      // @ts-expect-error it is never done
      void WizardGate(None);
    };
    void gates;
    class Base extends BaseController {
      static readonly shelf: string = "left";
      desk(): string {
        return "oak";
      }
    }
    class Gated extends concern(Base, WizardGate) {
      static override beforeActions = ["pass"];
      pass() {
        return this.ensureWizardCompleted(Onboard);
      }
    }
    class GatedByOne extends concern(Base, WizardGate(Onboard)) {}
    same<ReturnType<Gated["desk"]>, string>();
    same<typeof GatedByOne.shelf, string>();
    assert.equal(
      [Several, Through, Failing, Returning, None].map(({ metadata }) => metadata.anchored?.via),
      [undefined, "currentShop", undefined, undefined, undefined],
    );
  });
});
