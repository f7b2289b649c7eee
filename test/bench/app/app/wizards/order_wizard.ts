import { steps, succeed, Wizard } from "framewright/plugins/wizards";

const flow = steps()
  .step("details", {}, (f) => f.string("title", { presence: true }).text("body").integer("author", { presence: true }))
  .step("more", {}, (f) => f.string("note"))
  .review();

/** As many fields in its first step as the form of a post has. */
export default class OrderWizard extends Wizard(flow) {
  override async execute() {
    return succeed();
  }
}
