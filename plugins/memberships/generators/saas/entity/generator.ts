import { defineGenerator } from "framewright/generators";
import { addGroup, filesOf, resourceOf } from "../../../../../generators/toolkit/index.ts";
import { scaffoldGenerator as scaffold } from "../../../../resources/generators/toolkit/index.ts";
import { constantOf, fieldList, isFalse } from "../names.ts";

export default defineGenerator({
  name: "fw:saas:entity",
  summary: "Create the model of a product's tenants; an existing one is kept as it is",
  example: "fw generate fw:saas:entity Organization --extra_attributes='domain:string?'",
  args: "<name>",
  options: {
    extra_attributes: { summary: "Further columns besides name: domain:string?,plan:string", value: "FIELDS" },
    allow_signup: {
      summary: "false: nobody who signs in creates one by themselves. true by default",
      value: "BOOLEAN",
    },
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
    const { definition, policy } = filesOf(resourceOf(constant), app.model(constant).package);
    addGroup(changes, definition, "People");
    if (isFalse(options.allowSignup)) changes.edit(policy, closed);
  },
});

/** The feature's policy of tenants that nobody creates by themselves; who may update and delete them stays as it was. */
const closed = (text: string): string =>
  text.replace(
    / {2}override canCreate\(\) \{\n {4}return (.*);\n {2}\}\n/,
    (_, answer: string) => `  /** Sign-up is closed. Open it in the policy of the portal whose people create tenants. */
  override canCreate() {
    return false;
  }
  override canUpdate() {
    return ${answer};
  }
  override canDestroy() {
    return ${answer};
  }
`,
  );
