import type { ColumnInfo } from "../drivers/columns.ts";
import { type AssociationInfo, type ModelInfo, oncePerColumns } from "../models/model_info.ts";
import type { RowParts, RowsRead } from "../queries/read.ts";
import type { Row, SyncExecution } from "./execute.ts";
import { ListReader } from "./list_reader.ts";
import { columnsBut, type Omission, type OmittedColumns } from "./omitted_columns.ts";
import { isDirect } from "./row_reader.ts";
import { compileRow, isPlainName, type MakeRow, TablePacking } from "./table_packing.ts";

interface Joined {
  name: string;
  column: string;
  target: ModelInfo;
  packing: TablePacking;
  row: MakeRow;
  /** Where the target's id is among the values. */
  idAt: number;
}

const whole = new Set(["integer", "bigint"]);
const alike = (one: ColumnInfo, other: ColumnInfo): boolean =>
  one.type === other.type || (whole.has(one.type) && whole.has(other.type));

/**
 * Fast path: rows together with their parent rows, in one statement, since a call of the embedded database costs as much
 * as what it finds. The parent rows are those that a look-up by key finds, and are shared like those.
 */
class JoinedReader {
  readonly #own: TablePacking;
  readonly #omitted: OmittedColumns | undefined;
  readonly #row: MakeRow;
  readonly #joined: readonly Joined[];
  readonly #lists: ListReader;

  constructor(info: ModelInfo, associations: readonly AssociationInfo[], omitted: Omission | undefined) {
    const types = columnsBut(omitted?.own, info.columns);
    const values = types.map(({ name }) => `\`rows\`.\`${name}\``);
    let joins = "";
    this.#omitted = omitted?.own;
    this.#own = TablePacking.of(info);
    this.#row = this.#own.maker(omitted?.own);
    this.#joined = associations.map(({ name, key, target }, index) => {
      const column = key.column!;
      const left = omitted?.related.get(name);
      const columns = columnsBut(left, target.columns);
      const names = columns.map((column) => column.name);
      const from = values.length;
      const table = `\`parent_${index}\``;
      joins += ` left join \`${target.table}\` as ${table} on ${table}.\`${target.primaryKey}\` = \`rows\`.\`${column}\`${target.mark ? ` and ${table}.\`${target.mark.column}\` is null` : ""}`;
      values.push(...names.map((column) => `${table}.\`${column}\``));
      types.push(...columns);
      const idAt = from + names.indexOf(target.primaryKey);
      return { name, column, target, packing: TablePacking.of(target), row: compileRow(names, from, left)!, idAt };
    });
    this.#lists = new ListReader(values, types, joins);
  }

  /** undefined where one statement can't read the rows. */
  read(client: SyncExecution, sql: string, bindings: readonly unknown[]): RowsRead | undefined {
    const listed = this.#own.listed(sql, this.#omitted);
    if (
      listed === undefined ||
      !this.#joined.every(({ target, packing }) => packing.known && TablePacking.of(target) === packing)
    )
      return undefined;
    const lists = this.#lists.read(client, listed, bindings);
    if (!lists) return undefined;
    const rows = lists.map(this.#row);
    return { rows, related: new Map(this.#joined.map((joined) => [joined.name, parentRows(joined, rows, lists)])) };
  }
}

/** The parent row of each row; rows with the same parent share one object. */
function parentRows(
  { column, idAt, row: make }: Joined,
  rows: readonly Row[],
  lists: readonly (readonly unknown[])[],
): (Row | null)[] {
  const found = new Map<unknown, Row>();
  return lists.map((values, index) => {
    const id = values[idAt];
    if (id === null || (typeof id !== "string" && id !== rows[index]![column])) return null; // a text may be equal in another case
    let row = found.get(id);
    if (!row) {
      row = make(values);
      found.set(id, row);
    }
    return row;
  });
}

/** The associations, where their rows are found by one join each, of one column; undefined where one of them takes more. */
function joinable(info: ModelInfo, names: readonly string[]): AssociationInfo[] | undefined {
  if (!names.every((name) => isDirect(info, name)) || ![...info.columns.keys()].every(isPlainName)) return undefined;
  const associations = names.map((name) => info.associations.get(name)!);
  const fit = associations.every(({ key, target }) => {
    const [own, id] = [info.columns.get(key.column ?? ""), target.columns.get(target.primaryKey)];
    return own && id && alike(own, id) && [target.table, ...target.columns.keys()].every(isPlainName);
  });
  return fit ? associations : undefined;
}

/** The readers of a model, by the associations; of what is left out each has its own. */
class JoinedReaders {
  readonly #info: ModelInfo;
  readonly #whole = new Map<string, JoinedReader | undefined>();
  readonly #partial = new WeakMap<Omission, Map<string, JoinedReader | undefined>>();

  constructor(info: ModelInfo) {
    this.#info = info;
  }

  static readonly of: (info: ModelInfo) => JoinedReaders = oncePerColumns((info) => new JoinedReaders(info));

  reader(names: readonly string[], omitted: Omission | undefined): JoinedReader | undefined {
    const known = this.#known(omitted);
    const key = names.join();
    if (!known.has(key)) {
      const associations = joinable(this.#info, names);
      known.set(key, associations && new JoinedReader(this.#info, associations, omitted));
    }
    return known.get(key);
  }

  #known(omitted: Omission | undefined) {
    if (!omitted) return this.#whole;
    let known = this.#partial.get(omitted);
    if (!known) {
      known = new Map();
      this.#partial.set(omitted, known);
    }
    return known;
  }
}

/** The rows of a select from a model's table, with the parent rows of these associations; undefined where one statement can't read both. */
export function joinedRows(
  info: ModelInfo,
  { names, omitted }: RowParts,
  client: Partial<SyncExecution>,
  { sql, bindings }: { sql: string; bindings: readonly unknown[] },
): RowsRead | undefined {
  if (!client.executeSync || names.length === 0) return undefined;
  return JoinedReaders.of(info)
    .reader(names, omitted)
    ?.read(client as SyncExecution, sql, bindings);
}
