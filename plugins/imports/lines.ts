import type { ParamObject } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import type { FailedRow, LineProblem } from "./content.ts";
import { ID } from "./fields.ts";
import type { FileRow } from "./file_rows.ts";
import { MAX_LINES } from "./limits.ts";
import type { ImportPlan, PlannedColumn } from "./plan.ts";

/** The lines of a file that are about one record, which each has a row of; one line where no column is for rows. */
export type Lines = readonly FileRow[];

const cellOf = ({ cells }: FileRow, { index }: PlannedColumn): string => (cells[index] ?? "").trim();

/** The lines of each record: those with its key one after the other, or that leave empty what is not of a row. */
export async function* groupLines(rows: AsyncIterable<FileRow>, plan: ImportPlan): AsyncGenerator<Lines> {
  let lines: FileRow[] = [];
  for await (const row of rows) {
    if (lines.length > 0 && !(plan.rows.size > 0 && continues(plan, lines[0]!, row))) {
      yield lines;
      lines = [];
    }
    lines.push(row);
  }
  if (lines.length > 0) yield lines;
}

function continues(plan: ImportPlan, first: FileRow, next: FileRow): boolean {
  const own = plan.columns.filter(({ field }) => !field?.row);
  if (own.every((column) => cellOf(next, column) === "")) return true;
  const key = plan.key ?? own.find(({ field }) => field?.identifies);
  if (key) return cellOf(next, key) !== "" && cellOf(next, key) === cellOf(first, key);
  return own.every((column) => ["", cellOf(first, column)].includes(cellOf(next, column)));
}

/** What further lines state of the record that its first does not, and too many of them. */
export function lineProblems(controller: ResourceController, plan: ImportPlan, lines: Lines): LineProblem[] {
  if (lines.length > MAX_LINES)
    return [{ line: 0, column: null, text: controller.t("resource.import.too_many_lines", { count: MAX_LINES }) }];
  const [first] = lines;
  const own = plan.columns.filter(({ field }) => !field?.row);
  return lines.flatMap((one, line) =>
    own
      .filter((column) => !["", cellOf(first!, column)].includes(cellOf(one, column)))
      .map(({ index }) => ({
        line,
        column: index,
        text: controller.t("resource.import.other_value", { row: first!.row }),
      })),
  );
}

/** The lines that have a row of an attribute, by their places. */
export const linesWith = (plan: ImportPlan, lines: Lines, of: string): number[] => {
  const columns = plan.columns.filter(({ field }) => field?.row?.of === of);
  return [...lines.keys()].filter((at) => columns.some((column) => cellOf(lines[at]!, column) !== ""));
};

/** The rows that lines have, as a form would send them; `problems` gets what can't be read. */
export async function rowValues(
  controller: ResourceController,
  plan: ImportPlan,
  lines: Lines,
  { record, problems }: { readonly record: BaseModel | undefined; readonly problems: LineProblem[] },
): Promise<ParamObject> {
  const values: ParamObject = {};
  for (const [of, reader] of plan.rows) {
    const columns = plan.columns.filter(({ field }) => field?.row?.of === of);
    if (!columns.some(({ field }) => (record ? field!.forStored : field!.forNew))) continue;
    const rows: ParamObject[] = [];
    for (const line of linesWith(plan, lines, of)) {
      const row = Object.create(null) as ParamObject;
      const isStored = columns.some((column) => column.field!.row!.name === ID && cellOf(lines[line]!, column) !== "");
      for (const column of columns) {
        const { field, index, days, zone } = column;
        const cell = cellOf(lines[line]!, column);
        if (cell === "" && !isStored) continue; // a new row begins with its default
        const { name } = field!.row!;
        const { attribute } = field!;
        const read = attribute
          ? await reader.read(lines[line]!.cells[index] ?? "", { attribute, days, zone })
          : { value: cell };
        if ("value" in read) row[name] = read.value;
        else problems.push({ line, column: index, text: controller.t(read.problem) });
      }
      rows.push(row);
    }
    if (rows.length > 0) values[of] = rows;
  }
  return values;
}

/** The lines of a record that was not written: each with what is wrong with it, or that another is. */
export function failedLines(
  controller: ResourceController,
  lines: Lines,
  problems: readonly LineProblem[],
): FailedRow[] {
  const wrong = lines[problems[0]?.line ?? 0]!.row;
  const other = { column: null, text: controller.t("resource.import.other_line", { row: wrong }) };
  return lines.map(({ row, cells }, at) => {
    const own = problems.filter(({ line }) => line === at).map(({ column, text }) => ({ column, text }));
    return { row, cells, problems: own.length > 0 ? own : [other] };
  });
}
