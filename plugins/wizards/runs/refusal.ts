import type { FieldErrors } from "framewright/host";
import { ValidationError } from "framewright/plugins/database";
import type { StepSpec } from "../contract/index.ts";
import { usingOf } from "../flow/flow_steps.ts";
import { modelOf } from "../flow/model_fields.ts";
import type { Say } from "../flow/read_step.ts";
import { Failed } from "./failure.ts";

/** Why `onSubmit` or `execute` could not do what it was asked for. */
export interface Refusal {
  readonly errors: FieldErrors;
  /** The model of the record that could not be saved. */
  readonly model?: string;
}

/** What a person can do something about; undefined for a fault. */
export function refusalOf(error: unknown, say: Say): Refusal | undefined {
  if (error instanceof Failed) return { errors: error.fields };
  if (!(error instanceof ValidationError)) return undefined;
  const errors = Object.entries(error.problems).map(([name, list]) => [
    name,
    list.map(({ key, message, vars }) => say(key, message, vars)),
  ]);
  return { errors: Object.fromEntries(errors), model: error.subject };
}

/** The first step that asks for something of what is wrong; the one that was sent where none, or several, may be meant. */
export function stepToFix(steps: readonly StepSpec[], sent: StepSpec, { errors, model }: Refusal): string {
  const meant = Object.keys(errors).map((name) => stepAsking(steps, sent, name, model));
  return (meant.includes(sent) ? sent : (steps.find((step) => meant.includes(step)) ?? sent)).key;
}

function stepAsking(
  steps: readonly StepSpec[],
  sent: StepSpec,
  path: string,
  model: string | undefined,
): StepSpec | undefined {
  const [name] = path.split(".");
  const asking = steps.filter(({ fields }) => fields.some((field) => field.name === name));
  const ofModel = asking.find((step) => isOf(step, model, name!));
  return ofModel ?? (asking.includes(sent) || asking.length > 1 ? asking.find((step) => step === sent) : asking[0]);
}

/** Whether a step takes the attribute over from the model. */
function isOf(step: StepSpec, model: string | undefined, name: string): boolean {
  const using = usingOf(step);
  if (!using || modelOf(using).constant !== model) return false;
  return step.fields.some((field) => field.name === name && field.model !== undefined);
}
