import type { BaseModel } from "framewright/plugins/database";
import { errors } from "./errors.ts";
import { NumberFormat } from "./number_format.ts";

/** How the records of a model are numbered. */
export interface NumberedOptions<M extends BaseModel = BaseModel> {
  /** `"{year}-{0000}"`: `{0000}` is the counter, with so many digits at least; `{year}` and `{month}` begin it anew. `"{0}"` by default. */
  format?: string;
  /** Columns and associations within which the counter counts: each has its own. `[]` means that all tenants have one together. */
  scope?: string | readonly string[];
  /**
   * "never", the default: others of the scope wait until the transaction has ended that takes a number, and what is not
   * stored in the end has taken none. "allowed": the number is taken at once, nobody waits, and one whose record is not
   * stored is left out. It needs a server of a database.
   */
  gaps?: "never" | "allowed";
  /**
   * The zone whose calendar has the year and the month. By default that of the column `time_zone` of the record that `scope`
   * leads to, where there is one, else the application's own, `TIME_ZONE`.
   */
  zone?: string | { of(record: M): string | undefined }["of"];
}

/** A column of a model that numbers its records. */
export class NumberedColumn {
  /** Records of the models that declare one are heard by this class, before they are created. */
  static readonly isDeclaredByModels = true;
  /** Without the plugin nothing acts on it: the boot names the line that is missing. */
  readonly neededPlugin = { slot: "numbers", line: "numbers()", module: "framewright/plugins/numbers" };
  /** Generated tests send nothing for it. */
  readonly fills: string;
  readonly column: string;
  readonly format: NumberFormat;
  readonly scope: readonly string[];
  /** Whether the model sets it, be it by `[]`. */
  readonly hasScope: boolean;
  readonly mayHaveGaps: boolean;
  readonly zone: string | ((record: BaseModel) => string | undefined) | undefined;

  /** @throws FW_NUMBERS_FORMAT, FW_NUMBERS_GAPS */
  constructor(column: string, { format = "{0}", scope, zone, gaps = "never" }: NumberedOptions) {
    if (gaps !== "never" && gaps !== "allowed") throw errors.FW_NUMBERS_GAPS(column, gaps);
    this.column = column;
    this.fills = column;
    this.format = new NumberFormat(column, format);
    this.scope = [scope ?? []].flat();
    this.hasScope = scope !== undefined;
    this.mayHaveGaps = gaps === "allowed";
    this.zone = zone;
  }
}

/** What a class of models numbers its records by. */
export const numberedOf = (model: object): NumberedColumn[] =>
  Object.values(model).filter((value): value is NumberedColumn => value instanceof NumberedColumn);

/**
 * Numbers the records of a model, in the order in which they are stored and without gaps: a new record has the next number of
 * its scope, and one that is not stored in the end has taken none.
 * @example static numbers = numbered("number", { scope: "municipality", format: "{year}-{0000}" });
 * @throws FW_NUMBERS_FORMAT, FW_NUMBERS_GAPS
 */
export const numbered = <M extends BaseModel = BaseModel>(
  column: string,
  options: NumberedOptions<M> = {},
): NumberedColumn => new NumberedColumn(column, options as NumberedOptions);
