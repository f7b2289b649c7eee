import { defineGenerator } from "framewright/generators";
import { importPath } from "../../../../generators/toolkit/index.ts";
import { PULL, type PulledModel, pulledModelCode, pullModels } from "../../../database/generators/toolkit/index.ts";
import { policyLocals } from "../scaffold/policy_locals.ts";
import { scaffoldFile } from "../scaffold/scaffold_file.ts";
import { fieldLines } from "./field_lines.ts";
import { listsOf, noteLeft } from "./lists.ts";
import { writeMerged } from "./write_merged.ts";

export default defineGenerator({
  name: PULL,
  summary: "Write models, policies and definitions for the tables and views of a database that was there before",
  example: "fw generate fw:db:pull orders customers --dest=sales",
  args: "[table...]",
  options: {
    schema: {
      summary: "Schemas of PostgreSQL, with commas; by default the one that the connection uses",
      value: "NAME",
    },
    dest: { summary: "main_app, or the feature package of the models", value: "PACKAGE" },
  },
  help: `Without tables: all that no migration of the application creates. With some: these, and those of earlier runs.
  It writes no migration, and nothing into the database. Run it again when the tables changed: what it wrote is merged with
  your edits, and a file where both changed the same lines is left as it is.`,
  directory: import.meta.dirname,
  async run({ app, args, options, changes, note }) {
    const owner = options.dest === undefined ? undefined : app.destination(options.dest);
    const schemas =
      options.schema
        ?.split(",")
        .map((name) => name.trim())
        .filter(Boolean) ?? [];
    const models = await pullModels(app, { names: args, schemas, owner }, note);
    for (const model of models) {
      const { files, resource, key } = model;
      const lists = listsOf(model);
      const isListedOnly = key.length === 0;
      const locals = { ...resource, model_path: importPath(files.model) };
      const lines = [...fieldLines(model), ...(isListedOnly ? [] : ['this.action("destroy", { bulk: true });'])];
      const policy = scaffoldFile("policy.ts", { ...locals, ...policyLocals({ ...lists, readOnly: isListedOnly }) });
      writeMerged(changes, files.model, pulledModelCode(model), note);
      writeMerged(changes, files.policy, policy, note);
      writeMerged(changes, files.definition, scaffoldFile("definition.ts", { ...locals, lines }), note);
      noteLeft(model, note);
    }
    if (models.length === 0)
      return note("There is no table to pull: migrations of the application create all that there are.");
    note(`\nNext:\n  npx fw types\n  npx fw generate fw:res:conn ${constantsOf(models)} --dest=PORTAL`);
  },
});

const constantsOf = (models: readonly PulledModel[]): string =>
  models.map(({ resource }) => resource.constant).join(" ");
