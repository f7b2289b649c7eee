import { type IndexText, parseTables, type TableText } from "framewright/plugins/authlib/catalogue";

/** The differences of a table: what it lacks, and unique indexes that must go. */
export interface TableChange {
  readonly name: string;
  /** The lines of columns to add. */
  readonly columns: string[];
  readonly added: IndexText[];
  /** Unique indexes that are no longer unique. */
  readonly removed: IndexText[];
}

const keyOf = ({ columns }: IndexText): string => columns.join();

/** The tables after all migrations, by their source text. */
export function tablesAfter(migrations: readonly string[]): Map<string, TableText> {
  const made = new Map<string, TableText>();
  for (const text of migrations) {
    const ups = text.split(/^export async function down\b/m)[0]!;
    for (const table of parseTables(ups)) merge(made, table);
    for (const [, name, list, options] of ups.matchAll(indexCall("addIndex")))
      made.get(name!)?.indexes.push({ columns: namesIn(list!), unique: options!.includes("unique: true") });
    for (const [, name, list, options] of ups.matchAll(indexCall("removeIndex")))
      removeIndex(made.get(name!), list!, options!);
  }
  return made;
}
const indexCall = (verb: string) => new RegExp(`\\b${verb}\\(\\s*["'\`](\\w+)["'\`],\\s*\\[([^\\]]*)\\]([^;]*);`, "g");
const namesIn = (list: string): string[] => [...list.matchAll(/["'`](\w+)["'`]/g)].map(([, name]) => name!);

function merge(made: Map<string, TableText>, table: TableText): void {
  const known = made.get(table.name);
  if (!known) return void made.set(table.name, table);
  for (const [column, line] of table.columns) known.columns.set(column, line);
  known.indexes.push(...table.indexes);
}
function removeIndex(table: TableText | undefined, list: string, options: string): void {
  const gone = keyOf({ columns: namesIn(list), unique: true });
  const isUnique = options.includes("unique: true");
  const at = table?.indexes.findIndex((index) => keyOf(index) === gone && index.unique === isUnique) ?? -1;
  if (at >= 0) table!.indexes.splice(at, 1);
}

/** The changes from an existing table to the required one; undefined if there are none. */
export function changeOf(needed: TableText, made: TableText): TableChange | undefined {
  const columns = [...needed.columns].filter(([name]) => !made.columns.has(name)).map(([, line]) => line);
  const isNew = ({ columns: [first] }: IndexText) => !made.columns.has(first!); // created with its column
  const has = (list: readonly IndexText[], index: IndexText, unique: boolean) =>
    list.some((one) => keyOf(one) === keyOf(index) && one.unique === unique);
  const added = needed.indexes.filter((index) => !isNew(index) && !has(made.indexes, index, index.unique));
  const removed = made.indexes.filter(
    (index) => index.unique && has(needed.indexes, index, false) && !has(needed.indexes, index, true),
  );
  const change = { name: needed.name, columns, added, removed };
  return columns.length + added.length + removed.length > 0 ? change : undefined;
}
