import { Turns } from "./turns.ts";

/** Options of `exports()`. */
export interface ExportOptions {
  /** An export of more rows than this is offered to people as work in the background, where there are jobs and files; 50,000 by default. */
  backgroundRows?: number;
  /** Hours that the file of such an export can be downloaded; 24 by default. */
  keepHours?: number;
}

const HOUR_MS = 3_600_000;

/** What the exports of an application go by. */
export interface ExportSettings {
  readonly backgroundRows: number;
  readonly keepHours: number;
  /** Milliseconds that a file can be downloaded. */
  readonly keepMs: number;
  /** Spreadsheets are created one after the other, for the memory that they take. */
  readonly sheetTurns: Turns;
}

export const exportSettings = ({ backgroundRows = 50_000, keepHours = 24 }: ExportOptions = {}): ExportSettings => ({
  backgroundRows,
  keepHours,
  keepMs: keepHours * HOUR_MS,
  sheetTurns: new Turns(),
});
