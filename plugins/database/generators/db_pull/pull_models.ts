import type { ApplicationFiles } from "framewright/generators";
import { camelize } from "framewright/host/inflection";
import type { ColumnInfo } from "framewright/plugins/database";
import type { Linkable } from "../fields/code.ts";
import { moneyOf, plainField } from "../fields/existing_table.ts";
import { modelCode } from "../fields/model_code.ts";
import { modelParts, staticLines } from "../fields/model_parts.ts";
import { type Associations, associationsOf, foreignKeyOption, isFound, type Reference } from "./associations.ts";
import { chooseTables, draftModels, knownModels, type PullRequest, schemaOf } from "./choose_tables.ts";
import { labelCode, labelColumns } from "./labels.ts";
import type { Joint, KnownModel, Pulled, PulledModel, Target } from "./pulled.ts";
import { readSchema } from "./read_schema.ts";

/** Reads the database, and drafts a model for each of its tables. Nothing is written to the database. @throws FW_TABLE_UNKNOWN */
export async function pullModels(
  app: ApplicationFiles,
  request: PullRequest,
  note: (line: string) => void,
): Promise<PulledModel[]> {
  const known = knownModels(app);
  const schema = await readSchema(app, schemasOf(known, request));
  const tables = chooseTables(app, schema, known, request);
  const pulled = draftModels(app, tables, known, request, note);
  const isThere = (table: string) => schema.some(({ name }) => name.toLowerCase() === table.toLowerCase());
  for (const { constant, table, path, isPulled } of known)
    if (isPulled && !isThere(table))
      note(`${constant} has no table any more: ${table} is gone. Its files are left: ${path}`);
  const own = known.filter(({ isPulled }) => !isPulled);
  const targets: Target[] = [
    ...pulled.map(({ resource, facts, key }) => ({ constant: resource.constant, table: facts.name, key })),
    ...own.map(({ constant, table }) => ({ constant, table, key: undefined })),
  ];
  const associations = associationsOf(pulled, targets, note);
  const constants = new Set(targets.map(({ constant }) => constant));
  return pulled.map((one) => modelOf(one, associations, constants));
}

/** The schemas that are read besides the one of the connection: those that are pulled, and were. */
const schemasOf = (known: readonly KnownModel[], { schemas }: PullRequest): string[] => [
  ...new Set([...known.flatMap(({ table, isPulled }) => (isPulled && schemaOf(table)) || []), ...schemas]),
];

function modelOf(one: Pulled, { references, has }: Associations, constants: ReadonlySet<string>): PulledModel {
  const { facts, columns } = one;
  const own = references.get(facts.name)!;
  const links = new Map(own.flatMap((link) => (link.columns.length === 1 ? [[link.columns[0]!.name, link]] : [])));
  const joint = own.filter((link) => link.columns.length > 1);
  const taken = new Set([...columns.map(({ name }) => name), ...own.map(({ name }) => name)]);
  const fields = columns.map((column) => fieldOf(one, column, { link: links.get(column.name), taken, constants }));
  return {
    ...one,
    fields: withUniqueness(one, fields),
    joint: joint.map((link) => jointOf(link, own, constants)),
    has: has.get(facts.name)!,
    label: labelColumns(facts.local, columns),
  };
}

/** An association of several columns: one that has none of its own is emptied in no form. */
function jointOf(
  { name, columns, target, from }: Reference,
  all: readonly Reference[],
  constants: ReadonlySet<string>,
): Joint {
  const others = all.filter((one) => one.name !== name).flatMap((one) => one.columns.map((column) => column.name));
  const own = columns.filter((column) => !from.key.includes(column.name) && !others.includes(column.name));
  const options = [
    ...(isFound(from.resource.constant, camelize(name), target.constant, constants)
      ? []
      : [`class: "${target.constant}"`]),
    foreignKeyOption(columns),
  ];
  return {
    name,
    code: `belongsTo({ ${options.join(", ")} })`,
    columns: columns.map((column) => column.name),
    own: own.map((column) => column.name),
    isOptional: own.some(({ nullable }) => nullable),
  };
}

interface FieldPlace {
  link: Reference | undefined;
  taken: ReadonlySet<string>;
  constants: ReadonlySet<string>;
}

function fieldOf({ resource, key }: Pulled, column: ColumnInfo, { link, taken, constants }: FieldPlace): Linkable {
  const isUuid = key.length === 1 && key[0] === column.name && column.type === "uuid"; // a new record is given one
  const field = { ...plainField(column), unique: false, ...(isUuid ? { default: "null" } : {}) };
  if (link) {
    const { name, target } = link;
    const isConventional = isFound(resource.constant, camelize(name), target.constant, constants);
    return {
      ...field,
      name,
      type: "belongs_to",
      table: target.table,
      class: isConventional ? undefined : target.constant,
      foreignKey: column.name === `${name}_id` ? undefined : column.name,
    };
  }
  const money = moneyOf(column);
  if (money !== undefined && !taken.has(money)) return { ...field, name: money, type: "money" };
  return { ...field, ...(column.values ? { values: column.values } : {}) };
}

/** Fields with the rules of the unique indexes; one rule a field. */
function withUniqueness({ facts, key }: Pulled, fields: readonly Linkable[]): Linkable[] {
  const result = [...fields];
  for (const { columns } of facts.uniques) {
    const isKey = columns.length === key.length && columns.every((column) => key.includes(column));
    const own = columns.map((column) => result.findIndex((field) => field.column === column));
    if (isKey || own.some((at) => at === -1 || (result[at]!.type as string) === "binary")) continue;
    const free = own.filter((at) => !result[at]!.unique);
    const at = free.find((one) => result[one]!.type !== "belongs_to") ?? free[0];
    if (at === undefined) continue;
    const scope = own.filter((one) => one !== at).map((one) => result[one]!.name);
    result[at] = { ...result[at]!, unique: true, scope };
  }
  return result;
}

/** Whether records get the value of a column without anybody giving it. */
export function isWrittenByModel({ column, type }: Linkable): boolean {
  if (column === "lock_version") return type === "integer" || type === "bigint";
  return (column === "created_at" || column === "updated_at") && (type === "datetime" || type === "date");
}

/** The text of a pulled model. */
export function pulledModelCode({ resource, key, ignored, fields, joint, has, label }: PulledModel): string {
  const isRuled = (field: Linkable) =>
    !field.isReadOnly && (field.type as string) !== "binary" && !isWrittenByModel(field);
  const parts = modelParts(fields.filter((field) => field.type === "belongs_to" || isRuled(field)));
  const validations = key.length === 0 ? [] : parts.validations; // nobody writes the records
  const all = { ...parts, validations, associations: [...parts.associations, ...joint, ...has] };
  const functions = new Set(all.associations.map(({ code }) => /^\w+/.exec(code)![0]));
  return modelCode(resource, {
    statics: [
      ...keyLine(key),
      ...(ignored.length > 0 ? [`  static override ignoredColumns = [${texts(ignored)}];`] : []),
      ...staticLines(all),
    ],
    functions: [...functions].sort(),
    label: label && labelCode(label),
  });
}

function keyLine(key: readonly string[]): string[] {
  if (key.length === 0) return ["  static override idColumn: string[] = [];"];
  if (key.length > 1) return [`  static override idColumn = [${texts(key)}];`];
  return key[0] === "id" ? [] : [`  static override idColumn = ${JSON.stringify(key[0])};`];
}

const texts = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(", ");
