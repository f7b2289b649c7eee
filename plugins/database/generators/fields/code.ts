import type { Field } from "./field.ts";
import { type KeyField, keyOptions } from "./keys.ts";

/** A belongs_to field with its target model. */
export interface LinkedField extends Field {
  /** The model's constant, unless it follows from the field's name. */
  class: string | undefined;
  table: string;
  /** The constants of a polymorphic association's models. */
  classes?: readonly string[];
  /** Its column, unless that follows from the field's name. */
  foreignKey?: string | undefined;
  /** The target's primary key, where it is no number. */
  key?: KeyField | undefined;
}
/** A field, with its target where it is a belongs_to. */
export type Linkable = Field & Partial<LinkedField>;

/** The fields that have columns: files of a record have none. */
export const withColumns = <F extends Field>(fields: readonly F[]): F[] => fields.filter(({ attached }) => !attached);

/** The line of a migration that creates a field's column. */
export function schemaLine(field: Linkable): string {
  const name = JSON.stringify(field.name);
  const isRequired = !field.nullable && field.requiredByModel !== true;
  if (field.type === "belongs_to") {
    const options = [
      `table: "${field.table}"`,
      ...(isRequired ? ["null: false"] : []),
      ...(isUniqueAlone(field) ? ["unique: true"] : []),
      ...(field.key ? keyOptions(field.key) : []),
      ...(field.onDelete ? [`onDelete: "${field.onDelete === "nullify" ? "set null" : field.onDelete}"`] : []),
    ];
    return `t.belongsTo(${name}, { ${options.join(", ")} });`;
  }
  if (field.type === "polymorphic") {
    const options = [
      ...(isRequired ? ["null: false"] : []),
      ...(isUniqueAlone(field) ? ["unique: true"] : []),
      ...(field.key ? keyOptions(field.key) : []),
    ];
    return `t.polymorphic(${name}${options.length > 0 ? `, { ${options.join(", ")} }` : ""});`;
  }
  const size = field.size.map((number) => `, ${number}`).join("");
  const fallback = field.default ?? (field.type === "boolean" && !field.nullable ? "false" : undefined);
  return [
    `t.${field.type}(${name}${size})`,
    isRequired ? ".notNull()" : "",
    fallback === undefined ? "" : `.default(${fallback})`,
    isUniqueAlone(field) ? ".unique()" : field.index ? ".index()" : "",
    ";",
  ].join("");
}

const isUniqueAlone = ({ unique, scope }: Field) => unique && scope.length === 0;

/** The unique indexes of fields that are unique within a scope, which may be of fields that exist. */
export function indexLines(fields: readonly Field[], existing: readonly Field[] = []): string[] {
  const columnsOfName = (name: string) => columnsOf([...fields, ...existing].find((field) => field.name === name)!);
  return fields
    .filter(({ scope }) => scope.length > 0)
    .map((field) => {
      const columns = [...columnsOf(field), ...field.scope.flatMap(columnsOfName)];
      return `t.index(${listed(columns)}, { unique: true });`;
    });
}

/** The columns of a field, of which a polymorphic association has two. */
export const columnsOf = ({ name, column, type, attached }: Field): string[] =>
  attached ? [] : type === "polymorphic" ? [`${name}_type`, column] : [column];

/** Whether a field refers to records. */
export const isReference = ({ type }: Field): boolean => type === "belongs_to" || type === "polymorphic";

/** The validations of a field in the model. */
export function validationOf(field: Field): string | undefined {
  const rules = rulesOf(field);
  return rules && `${field.name}: ${rules}`;
}

/** `{ presence: true }`; undefined for a field without rules. */
export function rulesOf(field: Field): string | undefined {
  if (field.attached || field.rows) return undefined; // the definition requires them
  if (field.slug !== undefined) return undefined; // another one is created where it is taken
  const { type, input, nullable, unique, scope, default: fallback, requiredByModel = false } = field;
  const isAsked = !nullable && fallback === undefined && type !== "boolean" && (!isReference(field) || requiredByModel);
  const within = scope.length === 1 ? JSON.stringify(scope[0]) : listed(scope);
  const alone = field.everywhere ? "uniqueness: { everywhere: true }" : "uniqueness: true";
  const uniqueness = scope.length > 0 ? `uniqueness: { scope: ${within} }` : alone;
  const format = input === undefined ? undefined : formats[input];
  const rules = [isAsked && "presence: true", format && `format: { with: ${format} }`, unique && uniqueness];
  const given = rules.filter((rule) => typeof rule === "string");
  const room = MAX_LINE_CHARS - `    ${field.name}: ,`.length;
  return given.length > 0 ? braced(given, "    ", room) : undefined;
}
/** What is typed in is checked by its form, as the inputs of interactions and wizards are. */
const formats: Readonly<Record<string, string>> = {
  email: String.raw`/^[^\s@]+@[^\s@]+$/`,
  url: String.raw`/^https?:\/\/[^\s/]\S*$/i`,
  color: "/^#[0-9a-f]{6}$/i",
};

/** The line of a definition for a field whose input its column does not determine. */
export function inputLine({ name, input, nullable, attached, rows, choices }: Field): string | undefined {
  if (attached) return `this.${attached}("${name}"${nullable ? "" : ", { required: true }"});`;
  if (rows) return `this.repeated("${name}", ${rowsOptions(rows, nullable, "    ")});`;
  if (input === undefined || input === "enum") return undefined;
  if ((input === "email" || input === "url") && new RegExp(`(^|_)${input}$`).test(name)) return undefined; // by its name
  if (choices) return `this.field("${name}", { as: "${input}", choices: ${listed(choices, "    ")} });`;
  const required = input === "file" && !nullable ? ", required: true" : "";
  return `this.input("${name}", { as: "${input}"${required} });`;
}

/** What declares rows, after what else is in its braces. */
export function rowsOptions(
  rows: readonly Field[],
  nullable: boolean,
  indent: string,
  before: readonly string[] = [],
): string {
  const fields = rows.map(({ name, input, type, nullable: mayBeEmpty }) => {
    const rules = mayBeEmpty || type === "boolean" ? "" : ", presence: true";
    return `${name}: { as: "${input ?? type}"${rules} }`;
  });
  const inner = braced(fields, `${indent}  `, 70);
  return braced([...before, ...(nullable ? [] : ["minimum: 1"]), `fields: ${inner}`], indent, 90);
}

/** A name as a property is written. */
export const propertyName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

/** Characters that a generated line has at most. */
export const MAX_LINE_CHARS = 120;

/** `{ a, b }` on one line where there is room for it, or one entry per line. */
export function braced(entries: readonly string[], indent: string, room = 89): string {
  const line = `{ ${entries.join(", ")} }`;
  if (line.length <= room && !line.includes("\n")) return line;
  return `{\n${entries.map((entry) => `${indent}  ${entry},\n`).join("")}${indent}}`;
}

/** `static override money = { … };` as a line of a class, or several. */
export function staticLine(name: string, entries: readonly string[]): string {
  const before = `  static override ${name} = `;
  return `${before}${braced(entries, "  ", MAX_LINE_CHARS - before.length - 1)};`;
}

/** `["a", "b"]` likewise. */
export function listed(names: readonly string[], indent = "    ", room = 89): string {
  const items = names.map((name) => JSON.stringify(name));
  const line = `[${items.join(", ")}]`;
  return line.length <= room ? line : `[\n${items.map((item) => `${indent}  ${item},\n`).join("")}${indent}]`;
}

/** `["a", "b"]` that a method of a class returns. */
export const returned = (names: readonly string[]): string =>
  listed(names, "    ", MAX_LINE_CHARS - "    return ;".length);
