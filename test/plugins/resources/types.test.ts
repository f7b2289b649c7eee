import { Model, type ReadAttributes } from "framewright/plugins/database";
import {
  Interaction,
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
class Note extends Model("typed_notes") {
  get shout(): string {
    return this.title.toUpperCase();
  }
}

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
  }
}

const attributes = {
  days: { as: "integer", required: true },
  on: { as: "datetime" },
  loud: { as: "boolean" },
  why: { as: "select", choices: ["spam", "old"] },
} as const;
class Review extends Interaction<Note, InteractionValues<typeof attributes>> {
  static override attributes = attributes;
  async execute() {
    const days: number = this.values.days;
    const on: Date | null = this.values.on;
    const loud: boolean = this.values.loud;
    const why: string | null = this.values.why;
    // @ts-expect-error it was not asked for
    const other = this.values.other;
    return succeed([days, on, loud, why, other]);
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
