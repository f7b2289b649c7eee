import { type ApplicationFiles, defineGenerator } from "framewright/generators";
import { absentTableNote, addMember, newMigration, resourceOf } from "../../../../generators/toolkit/index.ts";

export default defineGenerator({
  name: "fw:trash",
  summary: "Let deleted records of a model go to the trash: its columns, its indexes, and static softDelete",
  example: "fw generate fw:trash Blogging::Post --within=organization_id",
  args: "<model>",
  options: {
    dest: { summary: "main_app, or the feature package of the model", value: "PACKAGE" },
    within: { summary: "Columns within which its records are listed, as that of the tenant", value: "COLUMN,…" },
  },
  help: `The migration replaces the unique indexes of the table by such that leave out what is in the trash.
  Run again after a unique index was added, it writes another that does the same with that one.`,
  directory: import.meta.dirname,
  run({ args, options, app, changes, note }) {
    const model = app.modelIn(args[0]!, options.dest);
    const table =
      /\bModel\(\s*["'`]([^"'`]+)["'`]/.exec(app.read(model.path) ?? "")?.[1] ?? resourceOf(model.constant).table;
    const within = (options.within ?? "").split(",").filter((name) => name !== "");
    const directory = model.package === undefined ? "db/migrate" : `packages/${model.package}/db/migrate`;
    const code = migrationCode(table, within);
    const name = isDone(app, table) ? `add_indexes_to_trash_of_${table}` : `add_trash_to_${table}`;
    changes.create(newMigration(app, changes, name, directory), code);
    addMember(changes, model.path, "static softDelete = true;");
    const absent = absentTableNote(app, table);
    if (absent) note(absent);
    note("\nNext:\n  npx fw db:migrate");
  },
});

const isDone = (app: ApplicationFiles, table: string): boolean =>
  app.migrations().some((path) => app.read(path)?.includes(`addTrash(db, "${table}"`));

const migrationCode = (
  table: string,
  within: readonly string[],
): string => `import type { Schema } from "framewright/plugins/database";
import { addTrash, removeTrash } from "framewright/plugins/trash";

export async function up(db: Schema): Promise<void> {
  await addTrash(db, "${table}"${within.length > 0 ? `, { within: ${JSON.stringify(within)} }` : ""});
}

export async function down(db: Schema): Promise<void> {
  await removeTrash(db, "${table}");
}
`;
