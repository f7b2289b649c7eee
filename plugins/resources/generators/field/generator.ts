import { defineGenerator, type GeneratorContext, type ModelFile } from "framewright/generators";
import { absentTableNote, diffOf, errors, resourceOf } from "../../../../generators/toolkit/index.ts";
import {
  type ExistingTable,
  fieldHelp,
  fieldsOf,
  fieldWords,
  forExistingRows,
  link,
  parseFields,
  readTable,
} from "../../../database/generators/toolkit/index.ts";
import { addToDefinition } from "./definition.ts";
import { migrate } from "./migration.ts";
import { addToModel } from "./model.ts";
import { addToPolicies } from "./policies.ts";
import { addToTest } from "./test_file.ts";

export default defineGenerator({
  name: "fw:res:field",
  summary: "Add fields to an existing resource: migration, model, the lists of its policies, and test",
  example: "fw generate fw:res:field Post subtitle:string 'price:money?' --dest=blogging",
  args: "<model> <field> [field...]",
  options: { dest: { summary: "main_app, or the feature package of the model", value: "PACKAGE" } },
  help: `${fieldHelp}
  A required field without a default is required by the model; its column is empty in the rows that exist.`,
  directory: import.meta.dirname,
  async run(context) {
    const { args, options, app, changes, note } = context;
    const [given, ...texts] = args;
    const model = app.modelIn(given!, options.dest);
    const table = await existingTable(context, model);
    const existing = fieldsOf(table, app);
    const words = await fieldWords(app.root, texts, { isRecord: true });
    const fields = parseFields(texts, { existing, slugs: "own", words }).map((field) =>
      link(forExistingRows(field), model.constant, app),
    );
    const isNew = migrate(context, model, { table, fields, existing });
    addToModel(context, model, fields);
    addToPolicies(context, model, fields);
    addToDefinition(context, model, fields);
    addToTest(context, model, fields);
    const edits = diffOf(changes.plan().filter(({ outcome }) => outcome === "edit"));
    if (edits !== "") note(`\n${edits.trimEnd()}`);
    for (const { name } of fields.filter(({ requiredByModel }) => requiredByModel))
      note(`\n${name} is required by the model, and empty in rows that exist: give it a default to fill them.`);
    const absent = isNew ? absentTableNote(app, table.name) : undefined;
    if (absent) note(absent);
    if (isNew) note("\nNext:\n  npx fw db:migrate");
  },
});

/** @throws FW_TABLE_UNMIGRATED */
async function existingTable({ app }: GeneratorContext, { constant }: ModelFile): Promise<ExistingTable> {
  const { table } = resourceOf(constant);
  const found = await readTable(app, table, constant);
  if (!found) throw errors.FW_TABLE_UNMIGRATED(constant, table);
  return found;
}
