import { isInstant } from "framewright/plugins/exports";
import type { ResourceController } from "framewright/plugins/resources";
import { type ImportContent, type ImportMapping, type ImportMode, importModes } from "./content.ts";
import { allowedModes, guessColumns, type ImportField, importFields, isExported } from "./fields.ts";
import { dayOrders, encodings, type ReadingOptions } from "./inspected_file.ts";
import { rowsAtOnce } from "./limits.ts";

/** What rows do as a form sends it: `create`, `update:email`. */
export const rowsValue = (mode: ImportMode, key: string | null): string => (key === null ? mode : `${mode}:${key}`);

/** What was sent for the columns of a file, with what is wrong with it. */
export interface MappingRead {
  readonly mapping: ImportMapping;
  readonly errors: readonly string[];
}

/** What a person has chosen of the file that is not what was read: a sheet, an encoding, the row of headers. */
export function otherReading(
  { params }: ResourceController,
  { source, lines, encoding, sheet, sheets = [], headerRow, first = [] }: ImportContent,
): Omit<ReadingOptions, "mayGuess"> | undefined {
  if (!source) return undefined;
  const name = params.string("sheet");
  const chosen = lines && encodings.find((one) => one === params.string("encoding"));
  const row = first.find((one) => String(one.row) === params.string("headers"))?.row;
  if (sheets.some((one) => one.name === name && one.name !== sheet)) return { sheet: name };
  const isOther = chosen !== undefined && chosen !== encoding;
  return isOther || (row !== undefined && row !== headerRow)
    ? { encoding: chosen ?? encoding, sheet, headerRow: row }
    : undefined;
}

/** Reads what columns are for; what is not permitted is no choice. @throws HttpError 422 for values of a wrong shape */
export function readMapping(controller: ResourceController, content: FileShape): MappingRead {
  const sent = controller.params.nested("columns");
  const columns = content.headers.map((_, index) => sent.string(`c${index}`) || null);
  return checked(controller, content, importFields(controller), columns);
}

/**
 * What a program sends: columns are known by their headers, or by what it declares of them; one that is not is refused. `ignored`: those that an
 * export or a file of errors has, and that nobody can import.
 */
export function readProgramMapping(
  controller: ResourceController,
  content: FileShape,
): MappingRead & { readonly ignored: readonly string[] } {
  const fields = importFields(controller);
  const sent = controller.params.nested("columns");
  const guessed = guessColumns(controller, content.headers, fields);
  const columns = guessed.map((name, index) => {
    const header = content.headers[index]!;
    return sent.has(header) ? sent.string(header) || null : name;
  });
  const { mapping, errors } = checked(controller, content, fields, columns);
  const rest = content.headers.filter((header, index) => columns[index] === null && header !== "" && !sent.has(header));
  const ignored = rest.filter((header) => isExported(controller, header, fields));
  const unknown = rest.filter((header) => !ignored.includes(header));
  const said = [...unknown, ...sent.keys().filter((header) => !content.headers.includes(header))].map((column) =>
    controller.t("resource.import.errors.header", { column }),
  );
  return { mapping, errors: [...said, ...errors], ignored };
}

function checked(
  controller: ResourceController,
  content: FileShape,
  fields: readonly ImportField[],
  columns: readonly (string | null)[],
): MappingRead {
  const { params } = controller;
  const [given = "", key] = (params.string("rows") || "create").split(":", 2);
  const mode = importModes.find((one) => one === given);
  const days = dayOrders.find((one) => one === params.string("days")) ?? null;
  const mapping = {
    columns,
    mode: mode ?? "create",
    key: key ?? null,
    atOnce: params.string("failing") === "undo",
    days,
  };
  const say = (name: string, vars?: Record<string, unknown>) => controller.t(`resource.import.errors.${name}`, vars);
  if (!mode) return { mapping, errors: [say("no_key")] };
  return { mapping, errors: problemsOf(controller, { content, fields, mapping }, say) };
}

/** What is looked at of a file. */
type FileShape = Pick<ImportContent, "headers" | "total" | "columns">;
interface Given {
  readonly content: FileShape;
  readonly fields: readonly ImportField[];
  readonly mapping: ImportMapping;
}
type Say = (name: string, vars?: Record<string, unknown>) => string;

function problemsOf(controller: ResourceController, { content, fields, mapping }: Given, say: Say): string[] {
  const { columns, mode, key, atOnce, days } = mapping;
  const errors: string[] = [];
  const used = columns.filter((name): name is string => name !== null);
  if (used.some((name) => !fields.some((field) => field.name === name))) errors.push(say("unknown"));
  const twice = fields.find(({ name }) => used.filter((one) => one === name).length > 1);
  if (twice) errors.push(say("twice", { field: twice.label }));
  const whole = fields.find(({ name, row }) => row && used.includes(name) && used.includes(row.of));
  if (whole) errors.push(say("whole_and_rows", { field: whole.label }));
  const written = fields.filter(({ name }) => used.includes(name));
  if (!written.some(({ forNew, forStored }) => (mode !== "update" && forNew) || (mode !== "create" && forStored)))
    errors.push(say("nothing"));
  if (!allowedModes(controller).includes(mode)) errors.push(say("mode"));
  const keyField = fields.find(({ name, isKey }) => isKey && name === key);
  if (mode !== "create" && !keyField) errors.push(say("no_key"));
  else if (mode !== "create" && !used.includes(key!)) errors.push(say("key_column", { field: keyField!.label }));
  const most = rowsAtOnce(controller.resources.database);
  if (atOnce && content.total > most) errors.push(say(most === 0 ? "single" : "too_many", { count: most }));
  const unclear = days === null ? unclearDays(content, fields, columns) : [];
  return [...errors, ...unclear.map((column) => say("days", { column }))];
}

/** The headers of columns of days in which the day could be the month. */
function unclearDays(
  content: FileShape,
  fields: readonly ImportField[],
  columns: readonly (string | null)[],
): readonly string[] {
  return content.headers.filter((_, index) => {
    if (content.columns[index]?.days !== "unknown") return false;
    const attribute = fields.find(({ name }) => name === columns[index])?.attribute;
    return attribute !== undefined && (attribute.column?.type === "date" || isInstant(attribute));
  });
}
