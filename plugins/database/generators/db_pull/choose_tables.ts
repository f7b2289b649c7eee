import { type ApplicationFiles, usage } from "framewright/generators";
import { camelize } from "framewright/host/inflection";
import { suggest } from "framewright/kernel";
import type { ColumnInfo } from "framewright/plugins/database";
import { createdTables, filesOf, readRecord, resourceOf } from "../../../../generators/toolkit/index.ts";
import { classOf, isNameable, isUsable } from "./names.ts";
import type { KnownModel, Pulled } from "./pulled.ts";
import type { TableFacts } from "./read_schema.ts";

/** What is pulled: the tables by name, all where none is given, of which schemas, and into which package. */
export interface PullRequest {
  names: readonly string[];
  /** None for the one that the connection uses. */
  schemas: readonly string[];
  owner: string | undefined;
}
/** The name by which runs of the generator are recorded. */
export const PULL = "fw:db:pull";

/** The models that the application has, with the tables that their texts name. */
export function knownModels(app: ApplicationFiles): KnownModel[] {
  return app.models().flatMap((model) => {
    const [, quote, text] = /\bModel\(\s*(["'])((?:(?!\1)[^\\]|\\.)*)\1/.exec(app.read(model.path)) ?? [];
    if (text === undefined) return [];
    const table = quote === '"' ? (JSON.parse(`"${text}"`) as string) : text;
    const isPulled = readRecord(app.root, model.path)?.run.generator === PULL;
    return [{ ...model, table, isPulled }];
  });
}

/** The tables that become models: those that no migration of the application creates, or those that are named and those that are pulled. @throws FW_TABLE_UNKNOWN */
export function chooseTables(
  app: ApplicationFiles,
  schema: readonly TableFacts[],
  known: readonly KnownModel[],
  { names, schemas }: PullRequest,
): TableFacts[] {
  const open = schema.filter(({ name }) => !/^framewright_/i.test(name));
  const isPulled = (name: string) => known.some((model) => model.isPulled && same(model.table, name));
  const wanted = open.filter((facts) =>
    schemas.length > 0 ? schemas.includes(facts.schema!) : facts.name === facts.local,
  );
  if (names.length === 0) {
    const created = createdTables(app);
    return open.filter((facts) => (wanted.includes(facts) && !created.has(facts.name)) || isPulled(facts.name));
  }
  const named = names.map((given) => {
    const found =
      wanted.find(({ name, local }) => name === given || local === given) ??
      wanted.find(({ name, local }) => same(name, given) || same(local, given));
    const all = wanted.map(({ name }) => name);
    if (!found) throw usage.FW_TABLE_UNKNOWN(given, suggest(given, all));
    return found;
  });
  return open.filter((facts) => named.includes(facts) || isPulled(facts.name));
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The schema in the name of a table; undefined for the one that the connection uses. */
export const schemaOf = (table: string): string | undefined =>
  table.includes(".") ? table.slice(0, table.indexOf(".")) : undefined;

/** The models of tables, without those that can't be one, each of which is reported. */
export function draftModels(
  app: ApplicationFiles,
  tables: readonly TableFacts[],
  known: readonly KnownModel[],
  { owner }: PullRequest,
  note: (line: string) => void,
): Pulled[] {
  const isNamed = (table: string) => tables.some(({ name }) => name === table);
  const modelOf = (table: string) =>
    known.find((model) => model.table === table) ??
    known.find((model) => same(model.table, table) && !isNamed(model.table));
  const used = new Set<string>();
  const pulled: Pulled[] = [];
  for (const facts of tables) {
    const model = modelOf(facts.name);
    if (model && !model.isPulled) {
      note(`${facts.name} has a model of yours, ${model.constant}, which is left as it is.`);
      continue;
    }
    const shape = shapeOf(facts, note);
    if (!shape) continue;
    const place = model ? { constant: model.constant, owner: model.package } : placeOf(app, facts, owner, used, note);
    const resource = { ...resourceOf(place.constant), table: facts.name };
    const files = filesOf(resource, place.owner);
    for (const path of withinOf(files)) used.add(path);
    pulled.push({ facts, resource, files, ...shape });
  }
  return pulled;
}

type Shape = Pick<Pulled, "key" | "columns" | "ignored">;

/** The key and the columns of a table; undefined, with a note, where it can't be a model. */
function shapeOf(
  { name, local, isView, columns, uniques }: TableFacts,
  note: (line: string) => void,
): Shape | undefined {
  if (!isNameable(local))
    return void note(
      `${name} is left out: SQL that is built of names would read a dot, " as " or a space at an end of it otherwise.`,
    );
  const primary = isView ? [] : columns.filter((column) => column.primary);
  const unusable = columns.filter((column) => !isUsable(column.name));
  const bytes = primary.find(({ type }) => type === "binary");
  if (bytes)
    return void note(`${name} is left out: its key ${bytes.name} is binary, and no address can name a record by it.`);
  const needed = unusable.find((column) => column.primary || (!column.nullable && !column.hasDefault && !isView));
  if (needed)
    return void note(`${name} is left out: it needs the column "${needed.name}", whose name no attribute can have.`);
  if (unusable.length > 0)
    note(
      `${name} is read without ${listOf(unusable)}: no attribute can have ${unusable.length === 1 ? "that name" : "these names"}.`,
    );
  const kept = columns.filter((column) => !unusable.includes(column));
  const ignored = unusable.map((column) => column.name);
  const odd = primary.find((column) => !isKeyType(column, primary.length > 1));
  if (odd)
    note(
      `${name} is listed only: its key ${odd.name} is of the type ${odd.type}, and no address can name a record by it.`,
    );
  else if (primary.length === 0)
    note(`${name} is listed only: ${isView ? "it is a view" : "it has no key"}, so that nothing identifies a record.`);
  const key = odd
    ? []
    : keyOrder(
        primary.map((column) => column.name),
        uniques,
      );
  return { key, columns: kept, ignored };
}

const listOf = (columns: readonly ColumnInfo[]): string => columns.map(({ name }) => `"${name}"`).join(", ");

const isKeyType = ({ type }: ColumnInfo, isPart: boolean): boolean =>
  ["integer", "bigint", "uuid", "string", "text", ...(isPart ? ["date"] : [])].includes(type);

/** The columns of a key in the order of its index. */
function keyOrder(names: readonly string[], uniques: TableFacts["uniques"]): readonly string[] {
  const index = uniques.find(
    ({ columns }) => columns.length === names.length && columns.every((one) => names.includes(one)),
  );
  return index?.columns ?? names;
}

/** Where a new model goes; a class that is not called as its table is reported. */
function placeOf(
  app: ApplicationFiles,
  { name: table, local }: TableFacts,
  owner: string | undefined,
  used: ReadonlySet<string>,
  note: (line: string) => void,
) {
  const filesNamed = (name: string) => filesOf(resourceOf(constantIn(owner, name)), owner);
  const isFree = (name: string) => {
    const files = filesNamed(name);
    return (
      !app.has(files.model) && withinOf(files).every((path) => !used.has(path)) && !isTaken(app, Object.values(files))
    );
  };
  const { name, reason } = classOf(local, isFree, schemaOf(table));
  if (reason !== undefined) note(`The model of ${table} is called ${name}: ${reason}.`);
  return { constant: constantIn(owner, name), owner };
}

const constantIn = (owner: string | undefined, name: string): string =>
  owner === undefined ? name : `${camelize(owner)}::${name}`;

/** Whether another file of the application defines one of the classes. */
const isTaken = (app: ApplicationFiles, paths: readonly string[]): boolean =>
  paths.some((path) => app.twinOf(path) !== undefined);

/** The paths of a resource's classes within their folders, which no two classes share. */
const withinOf = ({ model, policy, definition }: Pulled["files"]): string[] =>
  [model, policy, definition].map((path) => path.replace(/^.*?app\/[^/]+\//, ""));
