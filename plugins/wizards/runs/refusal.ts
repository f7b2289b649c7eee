import type { FieldErrors } from "framewright/host";
import { ValidationError } from "framewright/plugins/database";
import type { TranslateOr } from "framewright/plugins/fields/rows";
import type { StepSpec } from "../contract/index.ts";
import { importOf } from "../flow/flow_steps.ts";
import { modelOf } from "../flow/model_fields.ts";
import { WizardFailure } from "./failure.ts";

/** Why `onSubmit` or `execute` failed, in terms of the form. */
export interface Refusal {
  readonly errors: FieldErrors;
  /** The model of the record that could not be saved. */
  readonly model?: string;
}

/** A failure that the person can correct; undefined for any other error. */
export function refusalOf(error: unknown, translate: TranslateOr): Refusal | undefined {
  if (error instanceof WizardFailure) return { errors: error.fields };
  if (!(error instanceof ValidationError)) return undefined;
  const errors = Object.entries(error.problems).map(([name, list]) => [
    name,
    list.map(({ key, message, vars }) => translate(key, message, vars)),
  ]);
  return { errors: Object.fromEntries(errors), model: error.subject };
}

/** The first step with a field that has an error; the submitted step where none or several qualify. */
export function stepToFix(steps: readonly StepSpec[], sent: StepSpec, { errors, model }: Refusal): string {
  const candidates = Object.keys(errors).map((name) => stepWithField(steps, sent, name, model));
  return (candidates.includes(sent) ? sent : (steps.find((step) => candidates.includes(step)) ?? sent)).key;
}

function stepWithField(
  steps: readonly StepSpec[],
  sent: StepSpec,
  path: string,
  model: string | undefined,
): StepSpec | undefined {
  const [name] = path.split(".");
  const asking = steps.filter(({ fields }) => fields.some((field) => field.name === name));
  const ofModel = asking.find((step) => importsAttribute(step, model, name!));
  return ofModel ?? (asking.includes(sent) || asking.length > 1 ? asking.find((step) => step === sent) : asking[0]);
}

/** Whether a step imports the attribute from the model. */
function importsAttribute(step: StepSpec, model: string | undefined, name: string): boolean {
  const using = importOf(step);
  if (!using || modelOf(using).constant !== model) return false;
  return step.fields.some((field) => field.name === name && field.model !== undefined);
}
