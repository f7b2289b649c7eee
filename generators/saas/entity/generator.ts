import { defineGenerator } from "../../generator.ts";
import scaffold from "../../res/scaffold/generator.ts";
import { addGroup } from "../../support/model_edits.ts";
import { filesOf, resourceOf } from "../../support/resource.ts";
import { constantOf, fieldList } from "../names.ts";

export default defineGenerator({
  name: "fw:saas:entity",
  summary: "Create the model of a product's tenants; an existing one is kept as it is",
  example: "fw generate fw:saas:entity Organization --extra_attributes='domain:string?'",
  args: "<name>",
  options: {
    extra_attributes: { summary: "Further columns besides name: domain:string?,plan:string", value: "FIELDS" },
    dest: { summary: "main_app, or the feature package of the model", value: "PACKAGE" },
  },
  directory: import.meta.dirname,
  async run({ args, options, app, changes, compose, note }) {
    const constant = constantOf("a tenant", args[0]!);
    if (app.models().some((model) => model.constant === constant)) {
      note(`${constant} exists and is kept as it is.`);
      return;
    }
    const fields = fieldList(options.extraAttributes);
    const hasName = fields.some((field) => /^name\b/.test(field));
    await compose(scaffold, [constant, ...(hasName ? [] : ["name:string"]), ...fields], {
      dest: options.dest ?? "main_app",
    });
    const { definition } = filesOf(resourceOf(constant), app.model(constant).package);
    addGroup(changes, definition, "People");
  },
});
