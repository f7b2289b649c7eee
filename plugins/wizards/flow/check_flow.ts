import type { FieldErrors } from "framewright/host";
import {
  type BaseModel,
  customProblems,
  type ModelInfo,
  type Problem,
  problemsOf,
  type Rules,
  type Transaction,
  valueProblems,
} from "framewright/plugins/database";
import type { FieldSpec, FlowFace, Staged, StepContext, StepSpec, StepValues } from "../contract/index.ts";
import { usingOf } from "./flow_steps.ts";
import { type ModelField, modelOf } from "./model_fields.ts";
import { inEnglish, MOST_ENTRIES, type Say } from "./read_step.ts";
import { choicesOf, isRequired, isValues, own, readable } from "./values.ts";

/** What a check may be given besides: texts, and what is the run's own. */
export interface Checking {
  /** `controller.request.tOr`, bound; English unless given. */
  say?: Say;
  transaction?: Transaction | undefined;
  /** The answers of the run's steps: the model's rules see what other steps ask of the same record. */
  answers?: { readonly flow: Pick<FlowFace, "steps">; readonly staged: Staged };
  /** What the run persisted before: no answer is "taken" by that. */
  persisted?: readonly { readonly model: string; readonly id: string }[];
}

/**
 * What is wrong with a step's answers, each under its field (`invites.0.email`): the rules of the fields, and the
 * model's where they were taken over, uniqueness included.
 */
export async function checkStep(
  step: StepSpec,
  values: StepValues,
  context: StepContext,
  checking: Checking = {},
): Promise<FieldErrors> {
  const { say = inEnglish, transaction } = checking;
  const found: Record<string, Problem[]> = {};
  await checkFields({ found, transaction }, step.fields, values, "");
  Object.assign(found, await modelProblems(step, values, context, checking));
  return Object.fromEntries(
    Object.entries(found)
      .filter(([, list]) => list.length > 0)
      .map(([name, list]) => [name, list.map(({ key, message, vars }) => say(key, message, vars))]),
  );
}

interface Walk {
  readonly found: Record<string, Problem[]>;
  readonly transaction: Transaction | undefined;
}

async function checkFields(walk: Walk, fields: readonly FieldSpec[], values: StepValues, path: string): Promise<void> {
  const record = readable(fields, values);
  for (const field of fields) {
    const at = `${path}${field.name}`;
    const value = own(values, field.name);
    if (field.type === "group") await checkFields(walk, field.fields, isValues(value) ? value : {}, `${at}.`);
    else if (field.type === "repeated") await checkEntries(walk, field, value, at);
    else if (!field.model) walk.found[at] = await fieldProblems(walk, field, record);
  }
}

async function checkEntries(walk: Walk, field: FieldSpec, value: unknown, at: string): Promise<void> {
  const entries = Array.isArray(value) ? value.filter(isValues) : [];
  const { minimum = 0, maximum = MOST_ENTRIES } = field.options;
  if (entries.length < minimum) walk.found[at] = [counted("few", "needs at least", minimum)];
  if (entries.length > maximum) walk.found[at] = [counted("many", "takes at most", maximum)];
  for (const [index, entry] of entries.entries()) await checkFields(walk, field.fields, entry, `${at}.${index}.`);
}

const counted = (which: string, words: string, count: number): Problem => ({
  key: `wizards.fields.too_${which}`,
  vars: { count },
  message: `${words} ${count}`,
});

async function fieldProblems(walk: Walk, field: FieldSpec, record: Record<string, unknown>): Promise<Problem[]> {
  const value = record[field.name];
  const rules = rulesOf(field);
  return [...valueProblems(value, rules), ...(await customProblems(value, rules, record, walk.transaction))];
}

function rulesOf(field: FieldSpec): Rules {
  const choices = choicesOf(field)?.map((choice) => choice.value);
  return {
    ...field.options,
    ...(isRequired(field) ? { presence: field.options.presence || true } : {}),
    ...(choices && !field.options.inclusion ? { inclusion: choices } : {}),
  };
}

/** Only the attributes that were taken over are looked at, as in an update of those. */
async function modelProblems(
  step: StepSpec,
  values: StepValues,
  context: StepContext,
  { transaction, answers, persisted = [] }: Checking,
): Promise<Record<string, Problem[]>> {
  const using = usingOf(step);
  const fields = step.fields.filter((field): field is ModelField => field.model !== undefined);
  if (!using || fields.length === 0) return {};
  const info = modelOf(using);
  const given = { ...tenantOf(info, context), ...readable(fields, values) };
  const others = answers ? otherAnswers(step, using.model, answers) : {};
  const { anchor } = context;
  const about = anchor instanceof using.model ? anchor : undefined;
  const made = persisted.filter(({ model }) => model === info.constant).map(({ id }) => id);
  const ids = [...(about ? [about.$id() as number] : []), ...made];
  let found: Record<string, Problem[]> | undefined;
  const asked = transaction ?? (info.class.knex() as Transaction);
  for (const id of ids.length > 0 ? ids : [undefined]) {
    const record = Object.assign(new info.class(), others, given, id === undefined ? {} : { id });
    const old = id === undefined ? undefined : await info.class.query(asked).findById(id);
    const problems = await problemsOf(record, asked, "update", { old: old as BaseModel | undefined });
    found = found ? inBoth(found, problems) : problems;
  }
  return Object.fromEntries(fields.map(({ name }) => [name, found?.[name] ?? []]));
}

/** What other steps ask of the same model: the record will have it too. */
function otherAnswers(
  step: StepSpec,
  model: unknown,
  { flow, staged }: NonNullable<Checking["answers"]>,
): Record<string, unknown> {
  const others = flow.steps.filter(({ key }) => key !== step.key && Object.hasOwn(staged, key));
  const theirs = others.filter((other) => usingOf(other)?.model === model);
  const taken = ({ fields }: StepSpec) => fields.filter((field) => field.model !== undefined);
  return Object.assign({}, ...theirs.map((other) => readable(taken(other), staged[other.key]!)));
}

/** What is unique within the tenant is looked for there. */
function tenantOf({ associations }: ModelInfo, { currentScopedEntity: entity }: StepContext): Record<string, unknown> {
  const own = [...associations.values()].filter(
    ({ kind, target }) => kind === "belongsTo" && entity instanceof target.class,
  );
  return Object.fromEntries(own.map(({ foreignKey }) => [foreignKey, (entity as BaseModel).$id()]));
}

/** A value is taken only when it is by a record that is none of the run's own. */
const inBoth = (first: Record<string, Problem[]>, second: Record<string, Problem[]>): Record<string, Problem[]> =>
  Object.fromEntries(
    Object.entries(first).map(([name, list]) => [
      name,
      list.filter(({ message }) => second[name]?.some((other) => other.message === message)),
    ]),
  );
