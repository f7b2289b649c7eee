import type { FieldErrors } from "framewright/host";
import { type BaseModel, ModelInfo, type Problem, problemsOf, type Transaction } from "framewright/plugins/database";
import { FieldSource } from "framewright/plugins/fields";
import { checkTree, readable, type TranslateOr, untranslated } from "framewright/plugins/fields/rows";
import type { Staged, StepContext, StepSpec, StepValues, WizardFlow } from "../contract/index.ts";
import { importOf } from "./flow_steps.ts";
import { type ModelField, modelOf } from "./model_fields.ts";
import { nobody } from "./read_step.ts";

/** Options of a check: translations, and the run that the step belongs to. */
export interface CheckOptions {
  /** `controller.request.tOr`, bound; English by default. */
  translate?: TranslateOr;
  transaction?: Transaction | undefined;
  /** The answers of the run's steps: rules of a model see the attributes that other steps import. */
  answers?: { readonly flow: Pick<WizardFlow, "steps" | "scope">; readonly staged: Staged };
  /** The records that the run persisted: they don't count as duplicates of its answers. */
  persisted?: readonly { readonly model: string; readonly id: string }[];
}

/**
 * Validates a step's answers by the rules of its fields and, for imported fields, the model's, uniqueness included. Errors
 * by field path (`invites.0.email`).
 */
export async function checkStep(
  step: StepSpec,
  values: StepValues,
  context: StepContext,
  checking: CheckOptions = {},
): Promise<FieldErrors> {
  const { translate = untranslated, transaction, answers } = checking;
  const found: Record<string, Problem[]> = {};
  const scope = answers ? answers.flow.scope(step.key, answers.staged, context) : nobody;
  const source = (context.source ?? new FieldSource(undefined)).within(transaction);
  await checkTree({ found, scope, source }, step.fields, values);
  Object.assign(found, await modelProblems(step, values, context, checking));
  return Object.fromEntries(
    Object.entries(found)
      .filter(([, list]) => list.length > 0)
      .map(([name, list]) => [name, list.map(({ key, message, vars }) => translate(key, message, vars))]),
  );
}

/** Validates the imported attributes only, as an update of them would. */
async function modelProblems(
  step: StepSpec,
  values: StepValues,
  context: StepContext,
  { transaction, answers, persisted = [] }: CheckOptions,
): Promise<Record<string, Problem[]>> {
  const using = importOf(step);
  const fields = step.fields.filter((field): field is ModelField => field.model !== undefined);
  if (!using || fields.length === 0) return {};
  const info = modelOf(using);
  const given = { ...tenantValues(info, context), ...readable(fields, values) };
  const others = answers ? otherAnswers(step, using.model, answers) : {};
  const { anchor } = context;
  const anchorRecord = anchor instanceof using.model ? anchor : undefined;
  const persistedIds = persisted.filter(({ model }) => model === info.constant).map(({ id }) => id);
  const ids = [...(anchorRecord ? [ModelInfo.keyOf(anchorRecord)!] : []), ...persistedIds];
  let found: Record<string, Problem[]> | undefined;
  const asked = transaction ?? (info.class.knex() as Transaction);
  for (const id of ids.length > 0 ? ids : [undefined]) {
    const values = id === undefined ? [] : (info.key.values(id) ?? []);
    const own = Object.fromEntries(values.map((value, at) => [info.key.columns[at]!, value]));
    const record = Object.assign(new info.class(), others, given, own);
    const old = id === undefined ? undefined : await info.key.where(info.class.query(asked), id).first();
    const problems = await problemsOf(record, asked, "update", { old: old as BaseModel | undefined });
    found = found ? problemsInBoth(found, problems) : problems;
  }
  return Object.fromEntries(fields.map(({ name }) => [name, found?.[name] ?? []]));
}

/** The answers of other steps that import from the same model: the record will have them too. */
function otherAnswers(
  step: StepSpec,
  model: unknown,
  { flow, staged }: NonNullable<CheckOptions["answers"]>,
): Record<string, unknown> {
  const others = flow.steps.filter(({ key }) => key !== step.key && Object.hasOwn(staged, key));
  const ofModel = others.filter((other) => importOf(other)?.model === model);
  const imported = ({ fields }: StepSpec) => fields.filter((field) => field.model !== undefined);
  return Object.assign({}, ...ofModel.map((other) => readable(imported(other), staged[other.key]!)));
}

/** The tenant's foreign keys, for uniqueness within the tenant. */
function tenantValues(
  { associations }: ModelInfo,
  { currentScopedEntity: entity }: StepContext,
): Record<string, unknown> {
  const own = [...associations.values()].filter(
    ({ kind, target }) => kind === "belongsTo" && entity instanceof target.class,
  );
  return Object.fromEntries(own.map(({ key }) => [key.column, (entity as BaseModel).$id()]));
}

/** The problems in both lists: a value is only taken if another record than the run's own ones has it. */
const problemsInBoth = (
  first: Record<string, Problem[]>,
  second: Record<string, Problem[]>,
): Record<string, Problem[]> =>
  Object.fromEntries(
    Object.entries(first).map(([name, list]) => [
      name,
      list.filter(({ message }) => second[name]?.some((other) => other.message === message)),
    ]),
  );
