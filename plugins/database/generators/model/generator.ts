import { defineGenerator } from "framewright/generators";
import { draftModel } from "../fields/draft_model.ts";
import { fieldHelp } from "../fields/fields.ts";

export default defineGenerator({
  name: "fw:model",
  summary: "Create a model and the migration of its table, without policy, definition and controller",
  example: "fw generate fw:model Visit path:string 'seconds:integer?' --dest=blogging",
  args: "<name> [field...]",
  options: { dest: { summary: "main_app, or the feature package of the model", value: "PACKAGE" } },
  help: fieldHelp,
  directory: import.meta.dirname,
  async run(context) {
    const [given, ...texts] = context.args;
    const draft = await draftModel(context, { given: given!, texts, dest: context.options.dest });
    if (draft.isMigrated) context.note("\nNext:\n  npx fw db:migrate");
  },
});
