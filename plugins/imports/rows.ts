import { HttpError, humanize, type ParamObject, type ParamValue } from "framewright/host";
import { type BackgroundRuns, RunMovedError } from "framewright/plugins/background_runs";
import { type BaseModel, type KeyValue, whereNamed } from "framewright/plugins/database";
import { isTextKey, type Refused } from "framewright/plugins/fields/toolkit";
import type { ResourceController } from "framewright/plugins/resources";
import { coerceValue, formFields, Refusal } from "framewright/plugins/resources/toolkit";
import type { RowProblem } from "./content.ts";
import { ID } from "./fields.ts";
import type { FileRow } from "./file_rows.ts";
import type { ImportPlan, PlannedColumn } from "./plan.ts";
import { cellProblems } from "./row_problems.ts";
import { RowsUndone } from "./row_write.ts";

/** The methods of the controller that forms of records lead to. */
export type RowAction = "create" | "update";

/** As whom rows act, and where. */
export interface RowActor {
  /** A controller that has entered, by which records are found. */
  readonly base: ResourceController;
  /** A controller before its action, with a request that sends these values. @throws Refusal */
  enter(action: RowAction, record: BaseModel | undefined, values: ParamObject): Promise<ResourceController>;
}

/** A row that can't be written, and why. */
export class RowRefused extends Error {
  readonly problems: readonly RowProblem[];
  constructor(problems: readonly RowProblem[]) {
    super("a row of an import was refused");
    this.problems = problems;
  }
}

/** A row that is ready to be written. */
export interface ReadyRow {
  readonly action: RowAction;
  readonly controller: ResourceController;
}

/** Reads the cells of a row, and finds out what it is to do. @throws RowRefused, Refusal */
export async function readRow(actor: RowActor, plan: ImportPlan, row: FileRow): Promise<ReadyRow> {
  const { cells } = row;
  const wrong = cellProblems(actor.base, plan, row);
  if (wrong.length > 0) throw new RowRefused(wrong);
  const record = await recordOf(actor.base, plan, cells);
  const action = record ? "update" : "create";
  const values = await valuesOf(actor.base, plan, { cells, record });
  const controller = await actor.enter(action, record, values);
  const { names } = formFields(controller, record, controller.params.nested(controller.registration.key));
  const refused = Object.keys(values).filter((name) => !names.includes(name) && !isBlank(values[name]!));
  if (refused.length > 0)
    throw new RowRefused(refused.map((name) => problemAt(plan, name, actor.base.t("resource.import.not_permitted"))));
  return { action, controller };
}

const isBlank = (value: ParamValue): boolean => value === "" || (Array.isArray(value) && value.length === 0);

/** The record that a row is about, among those that the person sees; undefined for a new one. @throws RowRefused */
async function recordOf(
  controller: ResourceController,
  { mapping: { mode }, key, cells: reader }: ImportPlan,
  cells: readonly string[],
): Promise<BaseModel | undefined> {
  if (mode === "create") return undefined;
  const refuse = (text: string) => new RowRefused([{ column: key?.index ?? null, text: controller.t(text) }]);
  if (!key?.field?.isKey) throw refuse("resource.import.not_permitted");
  const cell = (cells[key.index] ?? "").trim();
  if (cell === "" && mode === "both") return undefined;
  if (cell === "") throw refuse("resource.import.key_blank");
  const found = await findBy(controller, key, cell, reader);
  if (found.length > 1) throw refuse("resource.import.several_records");
  if (found.length === 0 && (mode === "update" || key.name === ID)) throw refuse("resource.import.no_match");
  return found[0];
}

async function findBy(
  controller: ResourceController,
  { name, field, days, zone }: PlannedColumn,
  cell: string,
  reader: ImportPlan["cells"],
): Promise<readonly BaseModel[]> {
  const { model } = controller.registration;
  const { attribute } = field!;
  let value: unknown = model.key.parse(cell);
  if (attribute) {
    const read = await reader.read(cell, { attribute, days, zone });
    const coerced = "value" in read ? coerceValue(read.value, attribute) : read;
    value = "value" in coerced ? coerced.value : undefined;
  }
  if (value === undefined || value === null) return [];
  const column = attribute ? name : model.primaryKey;
  const query = whereNamed(controller.visibleRecords(), model, column, value as KeyValue);
  const found = await controller.resources.database.read(query.limit(2), model.class.labelAssociations);
  return attribute ? found : found.filter((record) => model.key.isExact(record, value as KeyValue));
}

/** What the row sends, as a form would. @throws RowRefused */
async function valuesOf(
  controller: ResourceController,
  { columns, cells: reader }: ImportPlan,
  { cells, record }: { cells: readonly string[]; record: BaseModel | undefined },
): Promise<ParamObject> {
  const values = Object.create(null) as ParamObject;
  const problems: RowProblem[] = [];
  for (const { index, field, name, days, zone } of columns) {
    if (index >= cells.length) continue; // the row is shorter than the headers: nothing is given
    const cell = cells[index]!;
    if (!field) {
      if (cell !== "") problems.push({ column: index, text: controller.t("resource.import.not_permitted") });
      continue;
    }
    const { attribute } = field;
    if (!attribute || !(record ? field.forStored : field.forNew)) continue;
    if (!record && cell.trim() === "" && beginsWithValue(controller, name)) continue;
    const read = await reader.read(cell, { attribute, days, zone, record });
    if ("value" in read) values[name] = read.value;
    else problems.push({ column: index, text: controller.t(read.problem) });
  }
  if (problems.length === 0) return values;
  throw new RowRefused([...problems, ...unreadable(controller, columns, values)].sort(byColumn));
}

/** What is wrong with other cells of a row that is refused: a form would say all of it at once. */
function unreadable(
  controller: ResourceController,
  columns: ImportPlan["columns"],
  values: ParamObject,
): readonly RowProblem[] {
  return columns.flatMap(({ index, name, field }) => {
    const read = field?.attribute && name in values ? coerceValue(values[name]!, field.attribute) : undefined;
    return read && "problem" in read ? { column: index, text: textOf(controller, read) } : [];
  });
}
const byColumn = (a: RowProblem, b: RowProblem): number => (a.column ?? 0) - (b.column ?? 0);
const textOf = (controller: ResourceController, { problem, vars }: Refused): string =>
  isTextKey(problem) ? controller.t(problem, vars) : problem;

/** Whether a new record has something where nothing is given, and needs it. */
function beginsWithValue({ registration }: ResourceController, name: string): boolean {
  const { column } = registration.attribute(name);
  if (!column || column.nullable) return false;
  return column.hasDefault || name in registration.model.class.defaults;
}

/**
 * What kept a row from being written. What is wrong with all rows is thrown on: the run has moved, the account may not act any
 * more, the database is unavailable. What nobody expected is logged, without a word of the file.
 */
export function problemsOf(
  runs: BackgroundRuns,
  { base }: RowActor,
  plan: ImportPlan,
  error: unknown,
): readonly RowProblem[] {
  if (error instanceof RowRefused) return error.problems;
  if (error instanceof Refusal || error instanceof RunMovedError || error instanceof RowsUndone) throw error;
  if (error instanceof HttpError && error.status < 500) return problemsOfReply(base, plan, error);
  const { status, code, name, stack = "" } = error as Error & { status?: number; code?: unknown };
  if (status === 503) throw error;
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  runs.log.error({ name, code, frames: frames.slice(0, 10) }, "a row of an import failed");
  return [{ column: null, text: base.t("resource.background.error") }];
}

function problemsOfReply(controller: ResourceController, plan: ImportPlan, error: HttpError): readonly RowProblem[] {
  const { fields, status } = error;
  if (fields && Object.keys(fields).length > 0)
    return Object.entries(fields)
      .map(([name, texts]) => problemAt(plan, name, texts.join(", ")))
      .sort(byColumn);
  if (status === 403) return [{ column: null, text: controller.t("resource.import.refused") }];
  if (status === 404) return [{ column: plan.key?.index ?? null, text: controller.t("resource.import.no_match") }];
  return [{ column: null, text: error.message }];
}

/** A problem with an attribute, at the column that it was read from. */
function problemAt({ columns }: ImportPlan, name: string, text: string): RowProblem {
  const column = columns.find((one) => one.name === name);
  if (column) return { column: column.index, text };
  return { column: null, text: name === "base" ? text : `${humanize(name)} ${text}` };
}
