import type { FlowFace, FlowSchema, Staged, StepContext, StepSpec } from "../contract/index.ts";
import type { Flow, SaidStep } from "./flow.ts";
import { importedFields, modelOf } from "./model_fields.ts";
import { schemaOf } from "./schema.ts";
import { readable } from "./values.ts";

interface Known {
  /** The columns of the models as they were when this was made: another migration makes others. */
  readonly columns: readonly unknown[];
  readonly steps: readonly SaidStep[];
  readonly schema: FlowSchema;
}

/** A flow as engine and pages ask of it; a model's attributes are looked up when its table is known. */
export class FlowSteps implements FlowFace {
  readonly said: readonly SaidStep[];
  #known: Known | undefined;

  constructor({ said }: Pick<Flow, "said">) {
    this.said = said;
  }

  get steps(): readonly SaidStep[] {
    return this.#look().steps;
  }
  get schema(): FlowSchema {
    return this.#look().schema;
  }
  step(key: string): SaidStep | undefined {
    return this.steps.find((step) => step.key === key);
  }

  /** A condition sees the answers of the visible steps before it, and of no other. */
  visible(staged: Staged, context: StepContext): readonly SaidStep[] {
    const data: Record<string, unknown> = {};
    return this.steps.filter((step) => {
      if (step.condition && !step.condition({ ...pick(context), data: { ...data } })) return false;
      const values = Object.hasOwn(staged, step.key) ? staged[step.key] : undefined;
      if (values) data[step.key] = readable(step.fields, values);
      return true;
    });
  }

  data(staged: Staged): Record<string, unknown> {
    const filled = this.steps.filter(({ key, review }) => !review && Object.hasOwn(staged, key));
    return Object.fromEntries(filled.map(({ key, fields }) => [key, readable(fields, staged[key] ?? {})]));
  }

  #look(): Known {
    const columns = this.said.map(({ using }) => using && modelOf(using).columns);
    if (this.#known?.columns.every((one, index) => one === columns[index])) return this.#known;
    const steps = this.said.map(complete);
    this.#known = { columns, steps, schema: schemaOf(steps) };
    return this.#known;
  }
}

const pick = ({ currentUser, currentScopedEntity, anchor }: StepContext): StepContext => ({
  currentUser,
  currentScopedEntity,
  anchor,
});

/** A block's field takes the place of the model's of the same name. */
function complete(step: SaidStep): SaidStep {
  if (!step.using) return step;
  const own = step.fields.map(({ name }) => name);
  const imported = importedFields(step.key, step.using).filter(({ name }) => !own.includes(name));
  return { ...step, fields: [...imported, ...step.fields] };
}

export const usingOf = (step: StepSpec): SaidStep["using"] => (step as Partial<SaidStep>).using;
