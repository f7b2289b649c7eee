import type { ResourceController } from "../controller.ts";
import { type ImportContent, type ImportMapping, type ImportMode, importModes } from "./content.ts";
import { allowedModes, guessColumns, type ImportField, importFields } from "./fields.ts";
import { MAX_ROWS_AT_ONCE } from "./limits.ts";

/** What rows do as a form sends it: `create`, `update:email`. */
export const rowsValue = (mode: ImportMode, key: string | null): string => (key === null ? mode : `${mode}:${key}`);

/** What was sent for the columns of a file, with what is wrong with it. */
export interface MappingRead {
  readonly mapping: ImportMapping;
  readonly errors: readonly string[];
}

/** Reads what columns are for; what is not permitted is no choice. @throws HttpError 422 for values of a wrong shape */
export function readMapping(controller: ResourceController, content: FileShape): MappingRead {
  const sent = controller.params.nested("columns");
  const columns = content.headers.map((_, index) => sent.string(`c${index}`) || null);
  return checked(controller, content, importFields(controller), columns);
}

/** What a program sends: columns are known by their headers alone, and one that is not is refused. */
export function readProgramMapping(controller: ResourceController, content: FileShape): MappingRead {
  const fields = importFields(controller);
  const columns = guessColumns(controller, content.headers, fields);
  const { mapping, errors } = checked(controller, content, fields, columns);
  const unknown = content.headers.filter((_, index) => columns[index] === null);
  const said = unknown.map((column) => controller.t("resource.import.errors.header", { column }));
  return { mapping, errors: [...said, ...errors] };
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
  const mapping = { columns, mode: mode ?? "create", key: key ?? null, atOnce: params.string("failing") === "undo" };
  const say = (name: string, vars?: Record<string, unknown>) => controller.t(`resource.import.errors.${name}`, vars);
  if (!mode) return { mapping, errors: [say("no_key")] };
  return { mapping, errors: problemsOf(controller, { content, fields, mapping }, say) };
}

/** What is looked at of a file. */
type FileShape = Pick<ImportContent, "headers" | "total">;
interface Given {
  readonly content: FileShape;
  readonly fields: readonly ImportField[];
  readonly mapping: ImportMapping;
}
type Say = (name: string, vars?: Record<string, unknown>) => string;

function problemsOf(controller: ResourceController, { content, fields, mapping }: Given, say: Say): string[] {
  const { columns, mode, key, atOnce } = mapping;
  const errors: string[] = [];
  const used = columns.filter((name): name is string => name !== null);
  if (used.some((name) => !fields.some((field) => field.name === name))) errors.push(say("unknown"));
  const twice = fields.find(({ name }) => used.filter((one) => one === name).length > 1);
  if (twice) errors.push(say("twice", { field: twice.label }));
  const written = fields.filter(({ name }) => used.includes(name));
  if (!written.some(({ forNew, forStored }) => (mode !== "update" && forNew) || (mode !== "create" && forStored)))
    errors.push(say("nothing"));
  if (!allowedModes(controller).includes(mode)) errors.push(say("mode"));
  const keyField = fields.find(({ name, isKey }) => isKey && name === key);
  if (mode !== "create" && !keyField) errors.push(say("no_key"));
  else if (mode !== "create" && !used.includes(key!)) errors.push(say("key_column", { field: keyField!.label }));
  if (atOnce && content.total > MAX_ROWS_AT_ONCE) errors.push(say("too_many", { count: MAX_ROWS_AT_ONCE }));
  return errors;
}
