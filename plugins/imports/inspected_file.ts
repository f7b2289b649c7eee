/** Encodings of texts that a person can choose, as the Encoding Standard calls them. */
export const encodings = [
  ...["utf-8", "windows-1252", "iso-8859-15", "macintosh", "windows-1250", "windows-1251", "windows-1253"],
  ...["windows-1254", "windows-1255", "windows-1256", "koi8-r", "shift_jis", "euc-kr", "gb18030", "big5"],
] as const;
export type Encoding = (typeof encodings)[number];

/** How 3/4/2026 is read: the day first, or the month. */
export const dayOrders = ["dmy", "mdy"] as const;
export type DayOrder = (typeof dayOrders)[number];

/** What the cells of a column show about it as a whole. */
export interface ColumnFacts {
  /** How days such as 3/4/2026 are read; `unknown` where the column does not show it, null where it has none. */
  readonly days: DayOrder | "unknown" | null;
}
/** A sheet of a spreadsheet, which can be chosen. */
export interface SheetChoice {
  readonly name: string;
  readonly isHidden: boolean;
}

/** Why a cell can't be read: the key of a text below `resource.import.unreadable`. */
export type Unreadable = "error" | "type" | "cut";

/** Why a file is refused: the key of a text below `resource.import.file`, and its values. */
export interface FileProblem {
  readonly problem: string;
  readonly vars: Readonly<Record<string, number | string>>;
}
/** One of the first rows, each cell cut. */
export interface FirstRow {
  /** As a spreadsheet numbers it. */
  readonly row: number;
  readonly cells: readonly string[];
}
/** A file that can be imported. */
export interface InspectedFile {
  readonly format: "csv" | "xlsx" | "ods";
  /** Of a text that is not UTF-8; and where no mark names it, lines that show whether it is right. */
  readonly encoding?: string | undefined;
  readonly lines?: readonly string[] | undefined;
  /** Of a spreadsheet: the sheet that was read, and all of them. */
  readonly sheet?: string | undefined;
  readonly sheets?: readonly SheetChoice[] | undefined;
  /** Names of its charts that have a sheet of their own. */
  readonly otherSheets?: readonly string[] | undefined;
  readonly headers: readonly string[];
  readonly headerRow: number;
  /** The rows from which that of the headers can be chosen. */
  readonly first: readonly FirstRow[];
  /** The first rows, each cell cut. */
  readonly samples: readonly (readonly string[])[];
  /** By the places of the headers. */
  readonly columns: readonly ColumnFacts[];
  /** Whether rows have fewer cells than there are headers; in a sheet the others are empty. */
  readonly hasShortRows?: boolean | undefined;
  /** How many rows it has, without the headers. */
  readonly total: number;
}
/** What of a file is read, and how. */
export interface ReadingOptions {
  readonly encoding?: string | undefined;
  /** Whether a text that is not UTF-8 is read as what it most likely is: somebody confirms it. */
  readonly mayGuess: boolean;
  readonly sheet?: string | undefined;
  /** The number of the row of headers; undefined where it is to be found. */
  readonly headerRow?: number | undefined;
}
