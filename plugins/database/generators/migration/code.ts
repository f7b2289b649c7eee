import { singularize } from "framewright/host/inflection";
import { columnsOf, indexLines, type Linkable, schemaLine, withColumns } from "../fields/code.ts";
import type { Field } from "../fields/field.ts";
import { idLine, type KeyField } from "../fields/keys.ts";
import { fillLines } from "../fields/slugs.ts";

/** A migration, from the statements of its two functions; without statements, a function is empty. */
export function migrationCode(up: readonly string[], down: readonly string[]): string {
  const body = (lines: readonly string[]) =>
    lines.length > 0 ? `{\n${lines.map((line) => `  ${line}\n`).join("")}}` : "{}";
  const parameter = (lines: readonly string[]) => (lines.length > 0 ? "db: Schema" : "_db: Schema");
  const makesSlugs = up.some((line) => line.includes("slugOf("));
  return `import ${makesSlugs ? "{ type Schema, slugOf }" : "type { Schema }"} from "framewright/plugins/database";

export async function up(${parameter(up)}): Promise<void> ${body(up)}

export async function down(${parameter(down)}): Promise<void> ${body(down)}
`;
}

/** The migration that adds the columns of fields to a table. */
export function addColumnsCode(table: string, fields: readonly Linkable[], existing: readonly Field[] = []): string {
  const columns = [...withColumns(fields).map(schemaLine), ...indexLines(fields, existing)];
  const names = fields
    .flatMap(columnsOf)
    .map((column) => JSON.stringify(column))
    .join(", ");
  return migrationCode(
    [
      `await db.addColumns("${table}", (t) => {`,
      ...columns.map((line) => `  ${line}`),
      "});",
      ...fillLines(table, fields, singularize(table).replaceAll("_", "-")),
    ],
    [`await db.removeColumns("${table}", [${names}]);`],
  );
}

/** The migration that creates a table with the columns of fields. */
export function createTableCode(table: string, fields: readonly Linkable[], key?: KeyField): string {
  const columns = [
    idLine(key),
    ...withColumns(fields).map(schemaLine),
    ...indexLines(fields),
    "t.lockVersion();",
    "t.timestamps();",
  ];
  return migrationCode(
    [`await db.createTable("${table}", (t) => {`, ...columns.map((line) => `  ${line}`), "});"],
    [`await db.dropTable("${table}");`],
  );
}

/** A field that is added to rows that exist: one that is required and has no default is required by the model alone. */
export function forExistingRows<F extends Field>(field: F): F {
  const isFilled = field.nullable || field.default !== undefined || field.type === "boolean";
  return isFilled ? field : { ...field, requiredByModel: true };
}
