import type { ResourceController } from "framewright/plugins/resources";
import type { RowProblem } from "./content.ts";
import type { FileRow } from "./file_rows.ts";
import type { ImportPlan } from "./plan.ts";

const MAX_SHOWN_CHARS = 60;

/** What is wrong with the cells of a row as a spreadsheet has them: those that can't be read, and texts beyond the headers. */
export function cellProblems(controller: ResourceController, plan: ImportPlan, row: FileRow): RowProblem[] {
  const { cells, unreadable } = row;
  const problem = (column: number, key: string): RowProblem => {
    const vars = { cell: addressOf(column, row.row), value: cut(cells[column] ?? "") };
    return { column, text: controller.t(`resource.import.${key}`, vars) };
  };
  const unread = plan.columns.flatMap(({ index }) => {
    const why = unreadable[index];
    return why === undefined ? [] : [problem(index, `unreadable.${why}`)];
  });
  const beyond = cells.slice(plan.headers.length).flatMap((cell, at) => {
    const column = plan.headers.length + at;
    return cell.trim() === "" && unreadable[column] === undefined ? [] : [problem(column, "beyond_headers")];
  });
  return [...unread, ...beyond];
}

/** The place of a cell as spreadsheets name it: `B2`. */
export function addressOf(column: number, row: number): string {
  let letters = "";
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  return `${letters}${row}`;
}

const cut = (text: string): string => (text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS - 1)}…` : text);
