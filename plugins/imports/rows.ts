import { HttpError, humanize, type ParamObject, type ParamValue, singularize } from "framewright/host";
import { type BackgroundRuns, RunMovedError } from "framewright/plugins/background_runs";
import { type BaseModel, type KeyValue, whereNamed } from "framewright/plugins/database";
import { isTextKey, type Refused } from "framewright/plugins/fields/toolkit";
import { fieldLabel, type ResourceController } from "framewright/plugins/resources";
import { coerceValue, formFields, Refusal } from "framewright/plugins/resources/toolkit";
import type { LineProblem, RowProblem } from "./content.ts";
import { ID } from "./fields.ts";
import { type Lines, lineProblems, linesWith, rowValues } from "./lines.ts";
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
  readonly problems: readonly LineProblem[];
  constructor(problems: readonly (RowProblem & Partial<LineProblem>)[]) {
    super("a row of an import was refused");
    this.problems = problems.map((one) => ({ line: 0, ...one }));
  }
}

/** The lines that a record is read from, and what their columns are for. */
export interface RecordLines {
  readonly plan: ImportPlan;
  readonly lines: Lines;
}

/** A row that is ready to be written. */
export interface ReadyRow {
  readonly action: RowAction;
  readonly controller: ResourceController;
}

/** Reads the cells of the lines of a record, and finds out what they are to do. @throws RowRefused, Refusal */
export async function readRow(actor: RowActor, plan: ImportPlan, lines: Lines): Promise<ReadyRow> {
  const { cells } = lines[0]!;
  const wrong = lines.flatMap((row, line) => cellProblems(actor.base, plan, row).map((one) => ({ line, ...one })));
  wrong.push(...lineProblems(actor.base, plan, lines));
  if (wrong.length > 0) throw new RowRefused(wrong);
  const record = await recordOf(actor.base, plan, cells);
  const action = record ? "update" : "create";
  const values = await valuesOf(actor.base, plan, { lines, record });
  const controller = await actor.enter(action, record, values);
  const { names } = formFields(controller, record, controller.params.nested(controller.registration.key));
  const refused = Object.keys(values).filter((name) => !names.includes(name) && !isBlank(values[name]!));
  if (refused.length > 0)
    throw new RowRefused(
      refused.map((name) =>
        problemAt(actor.base, { plan, lines }, name, actor.base.t("resource.import.not_permitted")),
      ),
    );
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
  plan: ImportPlan,
  { lines, record }: { lines: Lines; record: BaseModel | undefined },
): Promise<ParamObject> {
  const { columns, cells: reader } = plan;
  const { cells } = lines[0]!;
  const values = Object.create(null) as ParamObject;
  const problems: LineProblem[] = [];
  const add = (column: number, text: string) => problems.push({ line: 0, column, text });
  for (const { index, field, name, days, zone } of columns) {
    if (field?.row) continue;
    if (index >= cells.length) continue; // the row is shorter than the headers: nothing is given
    const cell = cells[index]!;
    if (!field) {
      if (cell !== "") add(index, controller.t("resource.import.not_permitted"));
      continue;
    }
    const { attribute } = field;
    if (!attribute || !(record ? field.forStored : field.forNew)) continue;
    if (!record && cell.trim() === "" && beginsWithValue(controller, name)) continue;
    const read = await reader.read(cell, { attribute, days, zone, record });
    if ("value" in read) values[name] = read.value;
    else add(index, controller.t(read.problem));
  }
  Object.assign(values, await rowValues(controller, plan, lines, { record, problems }));
  if (problems.length === 0) return values;
  throw new RowRefused([...problems, ...unreadable(controller, columns, values)].sort(byPlace));
}

/** What is wrong with other cells of a row that is refused: a form would report all of it at once. */
function unreadable(
  controller: ResourceController,
  columns: ImportPlan["columns"],
  values: ParamObject,
): readonly LineProblem[] {
  return columns.flatMap(({ index, name, field }) => {
    const read = field?.attribute && name in values ? coerceValue(values[name]!, field.attribute) : undefined;
    return read && "problem" in read ? { line: 0, column: index, text: textOf(controller, read) } : [];
  });
}
const byPlace = (a: LineProblem, b: LineProblem): number => a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
const textOf = (controller: ResourceController, { problem, vars }: Refused): string =>
  isTextKey(problem) ? controller.t(problem, vars) : problem;

/** Whether a new record has something where nothing is given, and needs it. */
function beginsWithValue({ registration }: ResourceController, name: string): boolean {
  const { column } = registration.attribute(name);
  if (!column || column.nullable) return false;
  return column.hasDefault || name in registration.model.class.defaults;
}

/**
 * Why a row was not written. What is wrong with all rows is thrown on: the run has moved, the account may not act any
 * more, the database is unavailable. What nobody expected is logged, without any text of the file.
 */
export function problemsOf(
  runs: BackgroundRuns,
  { base }: RowActor,
  about: RecordLines,
  error: unknown,
): readonly LineProblem[] {
  if (error instanceof RowRefused) return error.problems;
  if (error instanceof Refusal || error instanceof RunMovedError || error instanceof RowsUndone) throw error;
  if (error instanceof HttpError && error.status < 500) return problemsOfReply(base, about, error);
  const { status, code, name, stack = "" } = error as Error & { status?: number; code?: unknown };
  if (status === 503) throw error;
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  runs.log.error({ name, code, frames: frames.slice(0, 10) }, "a row of an import failed");
  return [{ line: 0, column: null, text: base.t("resource.background.error") }];
}

function problemsOfReply(controller: ResourceController, about: RecordLines, error: HttpError): LineProblem[] {
  const { fields, status } = error;
  const whole = (column: number | null, text: string) => [{ line: 0, column, text }];
  if (fields && Object.keys(fields).length > 0)
    return Object.entries(fields)
      .map(([name, texts]) => problemAt(controller, about, name, texts.join(", ")))
      .sort(byPlace);
  if (status === 403) return whole(null, controller.t("resource.import.refused"));
  if (status === 404) return whole(about.plan.key?.index ?? null, controller.t("resource.import.no_match"));
  return whole(null, error.message);
}

/** A problem with an attribute, or with that of a row (`lines.1.name`), at the line and the column that it was read from. */
function problemAt(
  controller: ResourceController,
  { plan, lines }: RecordLines,
  path: string,
  text: string,
): LineProblem {
  const [of = "", place, ...rest] = path.split(".");
  const isRow = plan.rows.has(of) && rest.length > 0;
  const line = isRow ? (linesWith(plan, lines, of)[Number(place)] ?? 0) : 0;
  const name = isRow ? rest.join(".") : path;
  const column = plan.columns.find((one) => one.name === (isRow ? `${of}.${name}` : name));
  if (column) return { line, column: column.index, text };
  return { line, column: null, text: name === "base" ? text : `${nameOf(controller, path)} ${text}` };
}

/** What a path is called: "Line 2, Amount" for a field of a row. */
function nameOf(controller: ResourceController, path: string): string {
  const { registration } = controller;
  const [of = "", place = "", ...rest] = path.split(".");
  if (!/^\d+$/.test(place)) return humanize(path);
  const attribute = registration.attribute(of);
  const fields = attribute.handler?.rows?.(controller, attribute, undefined)?.fields ?? [];
  const label = singularize(fieldLabel(controller, registration, attribute, "input"));
  const row = controller.t("form.rows.row", { label, number: String(Number(place) + 1) });
  const field = fields.find((one) => one.attribute.name === rest[0])?.label ?? humanize(rest.join(" "));
  return rest.length === 0 ? row : `${row}, ${field}`;
}
