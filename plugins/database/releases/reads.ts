import type { ModelInfo } from "../models/model_info.ts";

/** What a release reads of a table: models that are stored in it, their columns, and those that they never write empty. */
export interface TableReads {
  readonly models: readonly string[];
  readonly columns: readonly string[];
  readonly required: readonly string[];
}
/** What a release reads, by table. */
export type Reads = Readonly<Record<string, TableReads>>;

/** What models read: every column of their tables that they don't ignore. */
export function readsOf(models: readonly ModelInfo[]): Reads {
  const byTable = new Map<string, ModelInfo[]>();
  for (const info of models) if (info.exists) byTable.set(info.table, [...(byTable.get(info.table) ?? []), info]);
  return Object.fromEntries([...byTable].map(([table, infos]) => [table, tableReads(infos)]));
}

function tableReads(infos: readonly ModelInfo[]): TableReads {
  const columns = [...new Set(infos.flatMap((info) => [...info.columns.keys()]))];
  const required = columns.filter((column) => infos.every((info) => isRequired(info, column)));
  return { models: infos.map(({ constant }) => constant), columns, required };
}

/** Whether the model's rules let no record have the column empty. */
function isRequired({ class: cls, money, associations }: ModelInfo, column: string): boolean {
  const names = [column, ...Object.keys(money).filter((name) => money[name] === column)];
  if (names.some((name) => cls.validations[name]?.presence)) return true;
  return [...associations.values()].some(
    ({ kind, key, optional }) => kind === "belongsTo" && key.columns.includes(column) && !optional,
  );
}

/** What a release reads by its `db/types.d.ts`, which does not state what is required. */
export function readsOfTypes(text: string): Reads {
  const reads: Record<string, { models: string[]; columns: string[]; required: string[] }> = {};
  let table = "";
  let isColumns = false;
  for (const line of text.split("\n")) {
    const [, indent = "", written = ""] = /^( +)("(?:[^"\\]|\\.)+"|\w+): /.exec(line) ?? [];
    const name = written.startsWith('"') ? (JSON.parse(written) as string) : written;
    if (indent.length === 4) table = name;
    else if (indent.length === 6) isColumns = name === "columns";
    else if (indent.length === 8 && isColumns) {
      reads[table] ??= { models: [], columns: [], required: [] };
      reads[table]?.columns.push(name);
    }
  }
  return reads;
}
