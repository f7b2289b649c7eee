import { html } from "framewright/host";
import { Model, type ReadAttributes } from "framewright/plugins/database";
import { type ChoicesContext, defineFieldType, type FieldContext } from "framewright/plugins/fields";
import {
  type CustomRoutes,
  Interaction,
  type InteractionAttributes,
  type InteractionValues,
  Policy,
  ResourceDefinition,
  succeed,
} from "framewright/plugins/resources";
import { assert, describe } from "../../support/index.ts";

declare module "framewright/plugins/database" {
  interface Tables {
    typed_notes: { columns: { id: number; title: string }; associations: {}; money: {} };
  }
}
declare module "framewright/plugins/fields" {
  interface FieldTypes {
    shout: Uppercase<string>;
  }
}
class Note extends Model("typed_notes") {
  get shout(): string {
    return this.title.toUpperCase();
  }
}

(routes: CustomRoutes) => {
  routes.get("print", { action: (controller) => [controller.record?.$id(), controller.policyFor()] });
  // @ts-expect-error no such part of the controller of a resource
  routes.get("print", { action: (controller) => controller.recrod });
};
({
  // @ts-expect-error no such option of an input
  days: { as: "integer", requierd: true },
  loud: { as: "shout" },
  // @ts-expect-error no such type of fields
  cry: { as: "shuot" },
  // @ts-expect-error no such attribute of the record
  title: { as: "string", default: ({ record }) => record?.titel },
}) satisfies InteractionAttributes<Note>;

defineFieldType<Uppercase<string>>({ read: () => ({ value: "A" }) });
defineFieldType<string>({ display: (value) => html`${value.length}` });
// @ts-expect-error a text is not a number: it has to be read
defineFieldType<number>({ display: (value) => html`${value.toFixed(1)}` });

class NotePolicy extends Policy<Note> {
  override permittedAttributesForCreate() {
    return ["title"] as const;
  }
  override permittedAttributesForRead(): ReadAttributes<Note> {
    return ["title", "shout"];
  }
}
class NoteDefinition extends ResourceDefinition<Note> {
  override configure() {
    super.configure();
    this.display("shout", { as: "markdown" });
    this.column("shout", { label: "Loud" });
    // @ts-expect-error a getter is not asked for
    this.input("shout", { as: "string" });
    // @ts-expect-error no such attribute and no such getter
    this.column("shuot");
    this.sort("id", "title");
    this.sort("loudest", { using: (query, direction) => query.orderBy("title", direction) });
    // @ts-expect-error no such attribute
    this.sort("id", "titel");
    // @ts-expect-error a sort under a name of its own says how
    this.sort("loudest", { by: "title" });
    this.defaultSort((query, { currentUser }) => (currentUser ? query.orderBy("title") : query.orderBy("id")));
    // @ts-expect-error no such attribute
    this.defaultSort("-titel");
    this.filter("title", { as: "boolean", labels: { true: "Loud" } });
    this.input("title", { as: "shout" });
    this.filter("title", { as: "shout" });
    // @ts-expect-error no such type of fields
    this.input("title", { as: "markdwn" });
    // @ts-expect-error no such type of fields
    this.filter("title", { as: "shuot" });
    // @ts-expect-error no type that lists are filtered by
    this.filter("title", { as: "email" });
    this.filter("written", { inputs: { from: { as: "date" }, to: {} }, apply: (_, { from, to }) => [from, to] });
    // @ts-expect-error there is no such input
    this.filter("written", { inputs: { from: {} }, apply: (_, { till }) => till });
    // @ts-expect-error no such value of a boolean
    this.filter("title", { as: "boolean", labels: { yes: "Loud" } });
  }
}

const attributes = {
  days: { as: "integer", required: true },
  on: { as: "datetime" },
  loud: { as: "boolean" },
  why: { as: "select", choices: ["spam", "old"] },
  which: { as: "radio", choices: [{ value: "a", label: "A" }, "b"], required: true },
  note: { as: "association", model: Note, required: true },
  other: { as: "association" },
  cry: { as: "shout", required: true },
  more: { as: "string", required: true, condition: ({ values }) => values.why === "old" },
  title: { as: "string", default: ({ record }) => record?.title },
} as const satisfies InteractionAttributes<Note>;
const first = {
  kind: { as: "select", choices: ["spam", "other"], required: true },
} as const satisfies InteractionAttributes<Note>;
type AfterFirst = FieldContext<Note, InteractionValues<typeof first>>;
({
  ...first,
  detail: { as: "string", condition: ({ values }: AfterFirst) => values.kind === "other" },
  title: { as: "string", default: ({ values, record }: AfterFirst) => `${values.kind}: ${record?.title}` },
  list: { as: "select", choices: ({ values }: ChoicesContext<Note, InteractionValues<typeof first>>) => [values.kind] },
  // @ts-expect-error no such choice of the input before
  odd: { as: "string", condition: ({ values }: AfterFirst) => values.kind === "odl" },
  // @ts-expect-error no such input before
  typo: { as: "string", condition: ({ values }: AfterFirst) => values.knid === "spam" },
}) satisfies InteractionAttributes<Note>;
class Review extends Interaction<Note, InteractionValues<typeof attributes>> {
  static override attributes = attributes;
  async execute() {
    const days: number = this.values.days;
    const on: Date | null = this.values.on;
    const loud: boolean = this.values.loud;
    const why: "spam" | "old" | null = this.values.why;
    const which: "a" | "b" = this.values.which;
    const cry: Uppercase<string> = this.values.cry;
    const note: number = this.values.note;
    const other: number | string | null = this.values.other;
    // @ts-expect-error it is not asked for where its condition is false
    const more: string = this.values.more;
    // @ts-expect-error no such choice
    const isTypo = this.values.why === "odl";
    // @ts-expect-error it was not asked for
    const absent = this.values.absent;
    return succeed([days, on, loud, why, which, cry, note, other, more, isTypo, absent]);
  }
}

describe("The types of resources", (it) => {
  it("Getters of a model are typed for display and reading only, and an interaction's values by its attributes", () => {
    const definition = new NoteDefinition();
    definition.configure();
    assert.equal([...definition.displays.keys()], ["shout"]);
    assert.equal(new NotePolicy({} as never).permittedAttributesForRead(), ["title", "shout"]);
    assert.is(Review.attributes, attributes);
  });
});
