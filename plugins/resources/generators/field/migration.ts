import { type GeneratorContext, type ModelFile, usage } from "framewright/generators";
import { addedColumns, newMigration } from "../../../../generators/toolkit/index.ts";
import {
  addColumnsCode,
  type ExistingTable,
  type Field,
  type Linkable,
  withColumns,
} from "../../../database/generators/toolkit/index.ts";

/** What is added to what. */
export interface Addition {
  table: ExistingTable;
  /** The table's columns as fields. */
  existing: readonly Field[];
  fields: readonly Linkable[];
}
const MAX_NAME_CHARS = 100;

/** Drafts the migration, unless an earlier run wrote the same one. Returns whether it is new. @throws FW_COLUMN_EXISTS */
export function migrate(context: GeneratorContext, model: ModelFile, { table, existing, fields }: Addition): boolean {
  const { app, changes } = context;
  if (withColumns(fields).length === 0) return false;
  const code = addColumnsCode(table.name, fields, existing);
  if (app.migrations().some((path) => path.endsWith(`_to_${table.name}.ts`) && app.read(path) === code)) return false;
  refuseExisting(context, { table, existing, fields });
  const names = fields.map(({ name }) => name).join("_and_");
  const words = names.length > MAX_NAME_CHARS ? `${fields[0]!.name}_and_${fields.length - 1}_more` : names;
  const directory = model.package === undefined ? "db/migrate" : `packages/${model.package}/db/migrate`;
  changes.create(newMigration(app, changes, `add_${words}_to_${table.name}`, directory), code);
  return true;
}

/** @throws FW_COLUMN_EXISTS for a column of the table, or of a migration that has not run */
function refuseExisting({ app }: GeneratorContext, { table, existing, fields }: Addition): void {
  const pending = app.migrations().filter((path) => table.pending.some((name) => path.endsWith(`/${name}.ts`)));
  const drafted = pending.flatMap((path) =>
    addedColumns(app.read(path), table.name).map((column) => ({ column, path })),
  );
  for (const { name, column } of fields) {
    const isColumn = table.columns.some((one) => one.name === column) || existing.some((one) => one.name === name);
    const found = drafted.find((one) => one.column === column);
    if (isColumn || found) throw usage.FW_COLUMN_EXISTS(table.name, column, found?.path);
  }
}
