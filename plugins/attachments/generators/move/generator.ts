import { type ApplicationFiles, defineGenerator, type GeneratorContext, usage } from "framewright/generators";
import { addMember, filesOf, importTypes, newMigration, resourceOf } from "../../../../generators/toolkit/index.ts";

export default defineGenerator({
  name: "fw:attachments:move",
  summary: "Make attachments of the files that a column has: the migration, the definition and the model",
  example: "fw generate fw:attachments:move Blogging::Paper document",
  args: "<model> <column>",
  options: {
    dest: { summary: "main_app, or the feature package of the model", value: "PACKAGE" },
    as: { summary: "The name of the field; that of the column by default", value: "NAME" },
    directory: { summary: "Of a column of paths: the folder that they start from", value: "FOLDER" },
  },
  directory: import.meta.dirname,
  run(context) {
    const { args, options, app, changes, note } = context;
    const [given, column] = args as [string, string];
    const { as: field = column, directory: from } = options;
    for (const name of [column, field])
      if (!/^[a-z][a-z0-9_]*$/.test(name)) throw usage.FW_FIELD_SHAPE(name, "it is not a name");
    const model = app.modelIn(given, options.dest);
    const resource = resourceOf(model.constant);
    const directory = model.package === undefined ? "db/migrate" : `packages/${model.package}/db/migrate`;
    const code = migrationCode({ table: resource.table, column, owner: model.constant, field, directory: from });
    if (!hasMigration(app, code)) {
      const name = `move_${column}_of_${resource.table}`;
      changes.create(newMigration(app, changes, name, directory), code);
    }
    editDefinition(context, filesOf(resource, model.package).definition, { column, field });
    addMember(changes, model.path, `declare ${field}: OneFile;`);
    importTypes(changes, model.path, "framewright/plugins/attachments", ["OneFile"]);
    note("\nTake its validations out of the model: the definition has required.\nNext:\n  npx fw db:migrate");
  },
});

const hasMigration = (app: ApplicationFiles, code: string): boolean =>
  app.migrations().some((path) => app.read(path) === code);

interface Moved {
  table: string;
  column: string;
  owner: string;
  field: string;
  directory: string | undefined;
}

const migrationCode = ({ field, directory, ...column }: Moved): string => {
  const given = { ...column, ...(field === column.column ? {} : { field }), ...(directory ? { directory } : {}) };
  const entries = Object.entries(given).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const moved = `{ ${entries.join(", ")} }`;
  return `import { moveColumn, restoreColumn } from "framewright/plugins/attachments";
import type { Schema } from "framewright/plugins/database";

export async function up(db: Schema): Promise<void> {
  await moveColumn(db, ${moved});
}

export async function down(db: Schema): Promise<void> {
  await restoreColumn(db, ${moved});
}
`;
};

/** The input of the column becomes a file of the record, with its other options. */
function editDefinition(
  { changes, note }: GeneratorContext,
  path: string,
  { column, field }: { column: string; field: string },
): void {
  const input = new RegExp(`this\\.input\\("${column}",\\s*\\{\\s*as:\\s*"file"\\s*,?\\s*([^{}]*?)\\s*\\}\\)`);
  const text = changes.read(path) ?? "";
  if (text.includes(`this.file("${field}"`)) return;
  if (!input.test(text)) {
    note(`\nLeft alone: ${path}. Write this.file("${field}") in the place of its input.`);
    return;
  }
  changes.edit(path, (before) =>
    before.replace(input, (_, rest: string) => {
      const options = rest.replace(/,$/, "");
      return options === "" ? `this.file("${field}")` : `this.file("${field}", { ${options} })`;
    }),
  );
}
