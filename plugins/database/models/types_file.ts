import type { ColumnInfo, ColumnType } from "../drivers/columns.ts";
import { isLargeInteger } from "./codec.ts";
import type { AssociationInfo, ModelInfo, PolymorphicInfo } from "./model_info.ts";

const typeNames: Record<ColumnType, string> = {
  string: "string",
  text: "string",
  uuid: "string",
  date: "string",
  time: "string",
  decimal: "string",
  integer: "number",
  bigint: "number", // of keys
  float: "number",
  boolean: "boolean",
  datetime: "Date",
  json: "unknown",
  binary: "Buffer",
};

/** The text of `db/types.d.ts`: the same models give the same text. */
export function typesFile(models: readonly ModelInfo[]): string {
  const byTable = new Map<string, ModelInfo[]>();
  for (const info of models) if (info.exists) byTable.set(info.table, [...(byTable.get(info.table) ?? []), info]);
  const tables = [...byTable].sort(([a], [b]) => (a < b ? -1 : 1)).map(([table, infos]) => tableText(table, infos));
  return [
    "// Written by fw types after each migration; do not edit.",
    'import type { Many, One } from "framewright/plugins/database";',
    "",
    'declare module "framewright/plugins/database" {',
    "  interface Tables {",
    ...tables,
    "  }",
    "}",
    "",
    "export type { Many, One };",
    "",
  ].join("\n");
}

function tableText(table: string, infos: readonly ModelInfo[]): string {
  const first = infos[0]!;
  const associations = new Map([
    ...infos.flatMap((info) => [...info.associations].map(([name, link]) => [name, associationType(link)] as const)),
    ...infos.flatMap((info) => [...info.polymorphic].map(([name, link]) => [name, polymorphicType(link)] as const)),
  ]);
  const money = new Map(infos.flatMap((info) => Object.entries(info.money)));
  return [
    `    ${property(table)}: {`,
    block(
      "columns",
      [...first.columns.values()].map((column) => `${property(column.name)}: ${columnType(column, infos)};`),
    ),
    block(
      "associations",
      [...associations].map(([name, type]) => `${property(name)}: ${type};`),
    ),
    block(
      "money",
      [...money].map(
        ([name, cents]) => `${property(name)}: string${first.columns.get(cents)?.nullable ? " | null" : ""};`,
      ),
    ),
    "    };",
  ].join("\n");
}

function block(name: string, lines: readonly string[]): string {
  if (lines.length === 0) return `      ${name}: {};`;
  return [`      ${name}: {`, ...lines.map((line) => `        ${line}`), "      };"].join("\n");
}

const property = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
const associationType = ({ kind, target }: AssociationInfo) =>
  `${kind === "hasMany" ? "Many" : "One"}<${JSON.stringify(target.table)}>`;
const polymorphicType = ({ targets }: PolymorphicInfo) =>
  [...targets.values()].map(({ table }) => `One<${JSON.stringify(table)}>`).join(" | ");

function columnType(column: ColumnInfo, infos: readonly ModelInfo[]): string {
  const listed = [...new Set(infos.flatMap((info) => info.choices[column.name] ?? []))];
  const values = listed.length > 0 ? listed : column.values;
  const type = values
    ? values.map((value) => JSON.stringify(value)).join(" | ")
    : typeNames[isLargeInteger(column) ? "decimal" : column.type];
  return column.nullable && type !== "unknown" ? `${type} | null` : type;
}
