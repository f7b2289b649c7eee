import type { ColumnInfo } from "../drivers/columns.ts";
import { type AssociationInfo, type ModelInfo, oncePerColumns } from "../models/model_info.ts";
import type { RowsRead } from "../queries/read.ts";
import type { AtOnce, Row } from "./execute.ts";
import { compileRow, isPlainName, type MakeRow, Packing, ValueLists } from "./json_rows.ts";
import { isDirect } from "./row_reader.ts";

interface Joined {
  name: string;
  foreignKey: string;
  target: ModelInfo;
  packing: Packing;
  row: MakeRow;
  /** Where the target's id stands among the values. */
  idAt: number;
}

const whole = new Set(["integer", "bigint"]);
const alike = (one: ColumnInfo, other: ColumnInfo): boolean =>
  one.type === other.type || (whole.has(one.type) && whole.has(other.type));

/**
 * Rows together with the rows that they belong to, in one statement: a call of the embedded database costs as much as
 * what it finds. The rows behind are those that a look-up by key finds, and shared like those.
 */
class Joining {
  readonly #own: Packing;
  readonly #row: MakeRow;
  readonly #joined: readonly Joined[];
  readonly #lists: ValueLists;

  constructor(info: ModelInfo, associations: readonly AssociationInfo[]) {
    const values = [...info.columns.keys()].map((name) => `\`rows\`.\`${name}\``);
    const types = [...info.columns.values()];
    let joins = "";
    this.#own = Packing.of(info);
    this.#row = compileRow([...info.columns.keys()], 0)!;
    this.#joined = associations.map(({ name, foreignKey, target }, index) => {
      const names = [...target.columns.keys()];
      const from = values.length;
      const table = `\`behind_${index}\``;
      joins += ` left join \`${target.table}\` as ${table} on ${table}.\`id\` = \`rows\`.\`${foreignKey}\``;
      values.push(...names.map((column) => `${table}.\`${column}\``));
      types.push(...target.columns.values());
      const idAt = from + names.indexOf("id");
      return { name, foreignKey, target, packing: Packing.of(target), row: compileRow(names, from)!, idAt };
    });
    this.#lists = new ValueLists(values, types, joins);
  }

  /** undefined where the rows can't be read in this way. */
  read(client: AtOnce, sql: string, bindings: readonly unknown[]): RowsRead | undefined {
    const listed = this.#own.listed(sql);
    if (
      listed === undefined ||
      !this.#joined.every(({ target, packing }) => packing.known && Packing.of(target) === packing)
    )
      return undefined;
    const lists = this.#lists.read(client, listed, bindings);
    if (!lists) return undefined;
    const rows = lists.map(this.#row);
    return { rows, related: new Map(this.#joined.map((joined) => [joined.name, behind(joined, rows, lists)])) };
  }
}

/** The row behind each row; one that several belong to is one. */
function behind(
  { foreignKey, idAt, row: make }: Joined,
  rows: readonly Row[],
  lists: readonly (readonly unknown[])[],
): (Row | null)[] {
  const found = new Map<unknown, Row>();
  return lists.map((values, index) => {
    const id = values[idAt];
    if (id === null || id !== rows[index]![foreignKey]) return null;
    let row = found.get(id);
    if (!row) {
      row = make(values);
      found.set(id, row);
    }
    return row;
  });
}

/** The associations, where their rows are found by one join each; undefined where one of them takes more. */
function joinable(info: ModelInfo, names: readonly string[]): AssociationInfo[] | undefined {
  if (!names.every((name) => isDirect(info, name)) || ![...info.columns.keys()].every(isPlainName)) return undefined;
  const associations = names.map((name) => info.associations.get(name)!);
  const fit = associations.every(({ foreignKey, target }) => {
    const [own, id] = [info.columns.get(foreignKey), target.columns.get("id")];
    return own && id && alike(own, id) && [target.table, ...target.columns.keys()].every(isPlainName);
  });
  return fit ? associations : undefined;
}

const joinings = oncePerColumns(() => new Map<string, Joining | undefined>());

/** The rows of a select from a model's table, with those behind these associations; undefined where one statement can't tell. */
export function joinedRows(
  info: ModelInfo,
  names: readonly string[],
  client: Partial<AtOnce>,
  { sql, bindings }: { sql: string; bindings: readonly unknown[] },
): RowsRead | undefined {
  if (!client.atOnce || names.length === 0) return undefined;
  const known = joinings(info);
  const key = names.join();
  if (!known.has(key)) {
    const associations = joinable(info, names);
    known.set(key, associations && new Joining(info, associations));
  }
  return known.get(key)?.read(client as AtOnce, sql, bindings);
}
