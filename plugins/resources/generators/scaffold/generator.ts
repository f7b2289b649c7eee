import { defineGenerator } from "framewright/generators";
import { importPath } from "../../../../generators/toolkit/index.ts";
import {
  braced,
  draftModel,
  type ExistingTable,
  fieldHelp,
  inputLine,
  isReference,
  type Linkable,
  MAX_LINE_CHARS,
  validationOf,
} from "../../../database/generators/toolkit/index.ts";
import { credentialNote, isCredential } from "../credentials.ts";
import { policyLocals } from "./policy_locals.ts";
import { sampleOf } from "./samples.ts";

export default defineGenerator({
  name: "fw:res:scaffold",
  summary: "Create a resource: model, migration, policy, definition, controller and test",
  example: "fw generate fw:res:scaffold Post title:string 'body:text?' author:belongs_to{class:User} --dest=blogging",
  args: "<name> [field...]",
  options: {
    dest: { summary: "main_app, or the feature package of the resource", value: "PACKAGE" },
    no_model: { summary: "Keep the existing model and its migration" },
  },
  help: fieldHelp,
  directory: import.meta.dirname,
  async run(context) {
    const { args, options, template, note } = context;
    const [given, ...texts] = args;
    const request = { given: given!, texts, dest: options.dest, keepModel: options.noModel === true };
    const draft = await draftModel(context, request);
    const { resource, files, fields, key } = draft;
    const left = fields.filter(({ column, name }) => isCredential(column) || isCredential(name));
    const names = fields.filter((field) => !left.includes(field) && !field.isReadOnly).map(({ name }) => name);
    const locals = {
      ...resource,
      ...policyLocals({ create: names, read: [...names, ...timestampsOf(draft.present)] }),
      model_path: importPath(files.model),
    };
    template(files.policy, "policy.ts", locals);
    const inputs = fields.flatMap((field) => inputLine(field) ?? []);
    const order = key ? ['this.defaultSort("-created_at");'] : []; // such keys are in no order of time
    const lines = [...inputs, ...order, 'this.action("destroy", { bulk: true });'];
    template(files.definition, "definition.ts", { ...locals, lines });
    template(files.controller, "controller.ts", locals);
    template(`test/resources/${resource.path}.test.ts`, "test.ts", { ...locals, ...testLocals(resource.name, fields) });
    if (left.length > 0)
      note(
        credentialNote(
          files.policy,
          left.map(({ column }) => column),
        ),
      );
    const migrate = draft.isMigrated ? "  npx fw db:migrate\n" : "";
    note(`\nNext:\n${migrate}  npx fw generate fw:res:conn ${resource.constant} --dest=PORTAL`);
  },
});

/** Those that a table has; a new one has both. */
const timestampsOf = (present: ExistingTable | undefined): string[] =>
  ["created_at", "updated_at"].filter((name) => !present || present.columns.some((column) => column.name === name));

/** Locals of the test: whether it can create a record alone, and whether an empty one is refused. */
function testLocals(name: string, fields: readonly Linkable[]) {
  const asked = fields.filter(({ nullable, attached }) => !nullable && !attached);
  const values = asked.map((field) => `${field.column}: ${sampleOf(field)}`);
  return {
    creatable: !asked.some(isReference),
    refusable: asked.some((field) => isReference(field) || validationOf(field) !== undefined),
    samples: values.length > 0 ? braced(values, "    ", MAX_LINE_CHARS - insertLine(name).length) : "{}",
  };
}

/** The line of the test that has the samples. */
const insertLine = (name: string): string => `    const saved = await app.query(${name}).insert();`;
