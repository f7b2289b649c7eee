import {
  type ColumnInfo,
  type DeclaredType,
  declaredType,
  gatherIndexes,
  type UniqueIndex,
} from "framewright/plugins/database";
import type { Knex } from "knex";
import { isReadAsJson } from "./arrays.ts";
import { defaultOf } from "./defaults.ts";

const rowsOf = async <T>(knex: Knex, sql: string, bindings: readonly (string | null)[] = []): Promise<T[]> =>
  ((await knex.raw(sql, bindings as string[])) as { rows: T[] }).rows;

/** The table whose schema and name are bound, of the schema that the connection uses where that is null. */
const OF_TABLE = "n.nspname = coalesce(?::text, current_schema()) and c.relname = ?";

/** The schema and the name of a table: `sales.orders` is of another one than the connection uses. */
function placeOf(table: string): [schema: string | null, name: string] {
  const at = table.indexOf(".");
  return at === -1 ? [null, table] : [table.slice(0, at), table.slice(at + 1)];
}
/** What a table is called: with its schema where the connection uses another one. */
const nameIn = (schema: string, name: string): string =>
  `case when ${schema} = current_schema() then ${name}::text else ${schema} || '.' || ${name} end`;

export const tables = async (knex: Knex): Promise<string[]> =>
  (
    await rowsOf<{ name: string }>(
      knex,
      "select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition order by c.relname",
    )
  ).map(({ name }) => name);

export const views = async (knex: Knex): Promise<string[]> =>
  (
    await rowsOf<{ name: string }>(
      knex,
      "select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = current_schema() and c.relkind in ('v', 'm') order by c.relname",
    )
  ).map(({ name }) => name);

/** The tables and views of a schema by their names with it, or without where the connection uses it. */
export async function inSchema(knex: Knex, schema: string): Promise<{ tables: string[]; views: string[] } | undefined> {
  const [found] = await rowsOf(knex, "select 1 as found from pg_namespace where nspname = ?", [schema]);
  if (!found) return undefined;
  const rows = await rowsOf<{ name: string; kind: string }>(
    knex,
    `select ${nameIn("n.nspname", "c.relname")} as name, c.relkind::text as kind from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = ? and c.relkind in ('r', 'p', 'f', 'v', 'm') and not c.relispartition order by c.relname`,
    [schema],
  );
  const isView = ({ kind }: { kind: string }) => kind === "v" || kind === "m";
  const names = (isOne: boolean) => rows.filter((row) => isView(row) === isOne).map(({ name }) => name);
  return { tables: names(false), views: names(true) };
}

export const columnNames = (knex: Knex): Promise<{ table: string; column: string }[]> =>
  rowsOf(
    knex,
    'select table_name as "table", column_name as "column" from information_schema.columns where table_schema = current_schema()',
  );

interface Part {
  name: string;
  column: string;
}
const indexParts = (knex: Knex, table: string, condition: string): Promise<Part[]> =>
  rowsOf(
    knex,
    `select i.relname as name, a.attname as "column" from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid join pg_namespace n on n.oid = c.relnamespace cross join unnest(x.indkey::int2[]) with ordinality as part(number, position) join pg_attribute a on a.attrelid = c.oid and a.attnum = part.number where ${OF_TABLE} and part.position <= x.indnkeyatts and ${condition} order by i.relname, part.position`,
    placeOf(table),
  );

export const uniques = async (knex: Knex, table: string): Promise<UniqueIndex[]> =>
  gatherIndexes(
    await indexParts(
      knex,
      table,
      "x.indisunique and (x.indpred is null or i.relname like '%!_in!_use' escape '!') and x.indexprs is null",
    ),
  );
export const indexes = (knex: Knex, table: string): Promise<Part[]> => indexParts(knex, table, "not x.indisprimary");

interface Constraint {
  name: string;
  kind: string;
  definition: string;
  columns: string;
  table: string | null;
  to: string;
}
const columnsAt = (numbers: string, relation: string): string =>
  `array_to_json(array(select a.attname::text from unnest(${numbers}) with ordinality as part(number, position) join pg_attribute a on a.attrelid = ${relation} and a.attnum = part.number order by part.position))`;
const constraints = (knex: Knex, table: string): Promise<Constraint[]> =>
  rowsOf(
    knex,
    `select k.conname as name, k.contype::text as kind, pg_get_constraintdef(k.oid) as definition, ${columnsAt("k.conkey", "k.conrelid")} as columns, ${nameIn("fn.nspname", "f.relname")} as "table", ${columnsAt("k.confkey", "k.confrelid")} as "to" from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace left join pg_class f on f.oid = k.confrelid left join pg_namespace fn on fn.oid = f.relnamespace where ${OF_TABLE}`,
    placeOf(table),
  );

/** The columns that a constraint or unique index covers. */
export async function constraintColumns(
  knex: Knex,
  table: string,
  name: string,
): Promise<readonly string[] | undefined> {
  const found = (await constraints(knex, table)).find((one) => one.name === name);
  if (found) return JSON.parse(found.columns) as string[];
  const ofDomain = await rowsOf<{ name: string }>(
    knex,
    `select a.attname as name from pg_constraint k join pg_attribute a on a.atttypid = k.contypid join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace where ${OF_TABLE} and k.contypid <> 0 and k.conname = ? and not a.attisdropped order by a.attnum`,
    [...placeOf(table), name],
  );
  if (ofDomain.length > 0) return ofDomain.map((column) => column.name);
  const [index] = await rowsOf<{ definition: string }>(
    knex,
    "select indexdef as definition from pg_indexes where schemaname = coalesce(?::text, current_schema()) and indexname = ?",
    [placeOf(table)[0], name],
  );
  const named = new Set(index?.definition.replace(/^[^(]*| WHERE .*$/gs, "").match(/\w+/g)); // in expressions as well
  const covered = (await columns(knex, table)).map((one) => one.name).filter((one) => named.has(one));
  return covered.length > 0 ? covered : undefined;
}

interface Column {
  name: string;
  type: string;
  required: number;
  primary: number;
  /** "a" where nothing but the database gives it. */
  identity: string;
  /** "s" or "v" where it is computed. */
  generated: string;
  /** The texts of an enum's type, as JSON. */
  labels: string | null;
  dflt: string | null;
}

/** The columns of a table with what its constraints declare of them. */
export async function columns(knex: Knex, table: string): Promise<ColumnInfo[]> {
  const found = await rowsOf<Column>(
    knex,
    `select a.attname as name, case when t.typtype = 'd' then format_type(t.typbasetype, t.typtypmod) else format_type(a.atttypid, a.atttypmod) end as type, a.attnotnull as required, a.attidentity::text as identity, a.attgenerated::text as generated, case when t.typtype = 'e' then array_to_json(array(select e.enumlabel::text from pg_enum e where e.enumtypid = t.oid order by e.enumsortorder))::text end as labels, pg_get_expr(d.adbin, d.adrelid) as dflt, exists(select 1 from pg_index x where x.indrelid = c.oid and x.indisprimary and a.attnum = any(x.indkey)) as primary from pg_attribute a join pg_type t on t.oid = a.atttypid join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum where ${OF_TABLE} and a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v', 'm', 'f') order by a.attnum`,
    placeOf(table),
  );
  if (found.length === 0) return [];
  const known = await constraints(knex, table);
  const indexed = await uniques(knex, table);
  return found.map((column) => columnInfo(column, known, indexed));
}

function columnInfo(column: Column, known: readonly Constraint[], indexed: readonly UniqueIndex[]): ColumnInfo {
  const own = known.filter(({ columns }) => columns === JSON.stringify([column.name]));
  const checks = own.filter(({ kind }) => kind === "c").map(({ definition }) => definition);
  const values = column.labels === null ? enumOf(checks) : (JSON.parse(column.labels) as string[]);
  const declared = column.labels === null ? typeOf(column.type, checks, values !== undefined) : enumType;
  const isComputed = column.generated !== "";
  const isGiven = column.identity === "a" && column.primary === 0;
  const writer = isComputed || isGiven ? "database" : isReadAsJson(column.type) ? "sql" : undefined;
  return {
    name: column.name,
    ...declared,
    nullable: column.required === 0,
    default: column.dflt === null || isComputed ? undefined : defaultOf(column.dflt, declared.type),
    hasDefault: column.dflt !== null || column.identity !== "",
    primary: column.primary === 1,
    unique: indexed.some(({ columns }) => columns.length === 1 && columns[0] === column.name),
    ...referencesOf(column.name, known),
    ...(values ? { values } : {}),
    ...(writer ? { writer } : {}),
  };
}

const enumType: DeclaredType = { type: "string", maxLength: 63 };

/** What foreign keys are for a column: a reference where it is one by itself, and those that begin with it. */
function referencesOf(column: string, known: readonly Constraint[]): Pick<ColumnInfo, "references" | "foreignKeys"> {
  const foreignKeys = known.flatMap(foreignKeyOf).filter(({ columns }) => columns[0] === column);
  if (foreignKeys.length === 0) return {};
  const single = foreignKeys.find(({ columns }) => columns.length === 1);
  if (!single) return { foreignKeys };
  const { table, to, onDelete } = single;
  return { references: { table, column: to[0]!, onDelete }, foreignKeys };
}

function foreignKeyOf({ kind, table, columns, to, definition }: Constraint) {
  if (kind !== "f" || table === null) return [];
  const rule = / ON DELETE (CASCADE|SET NULL)/.exec(definition)?.[1]?.toLowerCase();
  const onDelete = (rule ?? "restrict") as "cascade" | "set null" | "restrict";
  return [{ table, columns: JSON.parse(columns) as string[], to: JSON.parse(to) as string[], onDelete }];
}

/** `citext` has its length in a check; one without is a text. */
function typeOf(type: string, checks: readonly string[], isEnum: boolean): DeclaredType {
  if (type === "citext") {
    const length = checks.map((text) => /char_length\(.*\) <= (\d+)/.exec(text)?.[1]).find(Boolean);
    if (length !== undefined) return { type: "string", maxLength: Number(length) };
    return isEnum ? { type: "string", maxLength: 255 } : { type: "text" };
  }
  if (type === "character(36)") return { type: "uuid", maxLength: 36 };
  if (type === "bytea") return { type: "binary" };
  if (isReadAsJson(type)) return { type: "json" };
  return STANDARD.test(type) && !type.includes("[]") ? declaredType(type) : { type: "text", isOpaque: true };
}
/** The types that other databases have too. What else there is, as ranges and types of an application's own, is read as its text. */
const STANDARD =
  /^(?:smallint|integer|bigint|numeric|real|double precision|boolean|date|time(?!.* with time zone)|timestamp|jsonb?|uuid|character|varchar|text|name)\b/;

/** The texts of a check: `CHECK ((status = ANY (ARRAY['draft'::citext, 'live'::citext])))`, or `= 'draft'::citext` for one. */
function enumOf(checks: readonly string[]): readonly string[] | undefined {
  for (const text of checks) {
    if (!/^CHECK \(\(\w+(?:"[^"]*")?.* = (?:ANY|')/.test(text)) continue;
    const values = [...text.matchAll(/'((?:[^']|'')*)'/g)].map(([, value]) => value!.replaceAll("''", "'"));
    if (values.length > 0) return values;
  }
  return undefined;
}
