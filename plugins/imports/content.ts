import { openSealer } from "framewright/host";
import type { RowOwner } from "framewright/plugins/portals";
import type { StoredFile } from "framewright/plugins/storage";
import type { DayOrder, InspectedFile } from "./inspected_file.ts";

/** What rows do: make records, change those that the key finds, or the one or the other. */
export const importModes = ["create", "update", "both"] as const;
export type ImportMode = (typeof importModes)[number];

/** What each column of the file is for. */
export interface ImportMapping {
  /** The attribute that each column is read as, `id` for the record's; null for a column that is not imported. */
  readonly columns: readonly (string | null)[];
  readonly mode: ImportMode;
  /** The attribute by which records are found; null where rows only make some. */
  readonly key: string | null;
  /** Whether nothing is written unless every row can be. */
  readonly atOnce: boolean;
  /** How days such as 3/4/2026 are read in columns that do not show it; null where nobody has chosen. */
  readonly days: DayOrder | null;
}

/** What is wrong with a row, or with a cell of it. */
export interface RowProblem {
  /** The index of the column; null for the row. */
  readonly column: number | null;
  readonly text: string;
}
/** What is wrong with one of the lines of a record: the first is 0. */
export interface LineProblem extends RowProblem {
  readonly line: number;
}
/** A row that was not written, and why. */
export interface FailedRow {
  /** As a spreadsheet numbers it. */
  readonly row: number;
  readonly cells: readonly string[];
  readonly problems: readonly RowProblem[];
}
/** How many rows became what. */
export interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
}
export const noCounts: ImportCounts = { created: 0, updated: 0, unchanged: 0 };
/** Rows that a stored record gets beside those that it has. */
export interface AddedRows {
  /** The attribute of the rows, and the label of the record. */
  readonly of: string;
  readonly record: string;
  readonly count: number;
  readonly existing: number;
}
/** What the first rows would do. */
export interface CheckedRows extends ImportCounts {
  readonly checked: number;
  /** Records whose rows become more. */
  readonly added?: readonly AddedRows[];
  readonly failed: readonly FailedRow[];
}

/** All that is known of an import before it runs. */
export interface ImportContent extends InspectedFile {
  /** Its rows, a line of JSON each, under the name of the file that was sent. */
  readonly file: StoredFile;
  /** The file that was sent, where another sheet or encoding of it can be chosen. */
  readonly source?: StoredFile | undefined;
  readonly mapping?: ImportMapping | undefined;
  /** Headers of a program's file that an export or a file of errors has, and that are not imported. */
  readonly ignored?: readonly string[] | undefined;
  readonly checked?: CheckedRows | undefined;
  /** The run that takes back what was written, once it was started. */
  readonly undo?: number | undefined;
}
/** A record that was written: all columns of a new one, or those that were changed, before and after. */
export interface KeptWrite {
  readonly earlier?: Readonly<Record<string, unknown>>;
  readonly written: Readonly<Record<string, unknown>>;
  /** Its rows that are records and were written with it, in their order. */
  readonly rows?: readonly KeptRow[];
}
export interface KeptRow extends Omit<KeptWrite, "rows"> {
  /** The attribute of the record. */
  readonly of: string;
  readonly id: string;
}
/** Encrypts what imports store, bound to their owner: it has the content of a file. */
export class ImportSealer {
  readonly #texts: ReturnType<typeof openSealer>;

  constructor(secrets: readonly string[]) {
    this.#texts = openSealer(secrets, "imports");
  }
  seal(value: ImportContent | FailedRow | KeptWrite, owner: RowOwner): string {
    return this.#texts.seal(JSON.stringify(value), boundTo(owner));
  }
  /** Undefined where the secret is unavailable. */
  content(sealed: string, owner: RowOwner): ImportContent | undefined {
    return this.#open(sealed, owner) as ImportContent | undefined;
  }
  failedRow(sealed: string, owner: RowOwner): FailedRow | undefined {
    return this.#open(sealed, owner) as FailedRow | undefined;
  }
  keptWrite(sealed: string, owner: RowOwner): KeptWrite | undefined {
    return this.#open(sealed, owner) as KeptWrite | undefined;
  }
  #open(sealed: string, owner: RowOwner): unknown {
    const text = this.#texts.open(sealed, boundTo(owner));
    return text === undefined ? undefined : JSON.parse(text);
  }
}

const boundTo = ({ resource, portal, owner_type, owner_id, tenant }: RowOwner): string =>
  JSON.stringify([resource, portal, owner_type, owner_id, tenant]);
