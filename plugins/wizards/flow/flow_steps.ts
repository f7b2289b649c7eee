import type { FieldTypeTable } from "framewright/plugins/fields";
import { readable } from "framewright/plugins/fields/rows";
import type { FieldScope, FlowSchema, Staged, StepContext, StepSpec, WizardFlow } from "../contract/index.ts";
import { withFieldTypes } from "./field_kind.ts";
import type { DeclaredStep, Flow } from "./flow.ts";
import { importedFields, modelOf } from "./model_fields.ts";
import { schemaOf } from "./schema.ts";

interface ResolvedFlow {
  /** The columns of the models when this was resolved; a migration replaces them. */
  readonly columns: readonly unknown[];
  readonly steps: readonly DeclaredStep[];
  readonly schema: FlowSchema;
}

/** A flow with the fields of `using` resolved, once the model's table is known; resolved again when it changes. */
export class FlowSteps implements WizardFlow {
  readonly declaredSteps: readonly DeclaredStep[];
  #resolved: ResolvedFlow | undefined;
  #types: FieldTypeTable | undefined;

  constructor({ declaredSteps }: Pick<Flow, "declaredSteps">) {
    this.declaredSteps = declaredSteps;
  }

  /** The flow is that of an application's class, as its models are: both know what the application has. */
  bind(types: FieldTypeTable): void {
    this.#types = types;
    this.#resolved = undefined;
    this.#resolve();
  }
  get steps(): readonly DeclaredStep[] {
    return this.#resolve().steps;
  }
  get schema(): FlowSchema {
    return this.#resolve().schema;
  }
  step(key: string): DeclaredStep | undefined {
    return this.steps.find((step) => step.key === key);
  }

  /** A condition sees the answers of the visible steps before it, and no others. */
  visible(staged: Staged, context: StepContext): readonly DeclaredStep[] {
    const data: Record<string, unknown> = {};
    return this.steps.filter((step) => {
      if (step.condition && !step.condition({ ...withoutPlace(context), data: { ...data } })) return false;
      const values = Object.hasOwn(staged, step.key) ? staged[step.key] : undefined;
      if (values) data[step.key] = readable(step.fields, values);
      return true;
    });
  }

  scope(key: string, staged: Staged, context: StepContext): FieldScope {
    const { currentUser, currentScopedEntity, anchor } = context;
    const before = this.steps.findIndex((step) => step.key === key);
    const visible = this.steps.slice(0, before).some(({ condition }) => condition)
      ? this.visible(staged, context)
      : this.steps;
    const earlier = visible.filter((step) => this.steps.indexOf(step as DeclaredStep) < before);
    const answered = Object.fromEntries(
      earlier.flatMap((step) => (Object.hasOwn(staged, step.key) ? [[step.key, staged[step.key]!]] : [])),
    );
    return { record: anchor, anchor, currentUser, currentScopedEntity, data: this.data(answered) };
  }

  data(staged: Staged): Record<string, unknown> {
    const filled = this.steps.filter(({ key, review }) => !review && Object.hasOwn(staged, key));
    return Object.fromEntries(filled.map(({ key, fields }) => [key, readable(fields, staged[key] ?? {})]));
  }

  #resolve(): ResolvedFlow {
    const columns = this.declaredSteps.map(({ using }) => using && modelOf(using).columns);
    if (this.#resolved?.columns.every((one, index) => one === columns[index])) return this.#resolved;
    const types = this.#types;
    const declared = this.declaredSteps.map(withModelFields);
    const steps = types
      ? declared.map((step) => ({ ...step, fields: withFieldTypes(step.key, step.fields, types) }))
      : declared;
    this.#resolved = { columns, steps, schema: schemaOf(steps) };
    return this.#resolved;
  }
}

const withoutPlace = ({ currentUser, currentScopedEntity, anchor }: StepContext): StepContext => ({
  currentUser,
  currentScopedEntity,
  anchor,
});

/** Adds the imported fields; a field declared in the block replaces the model's of the same name. */
function withModelFields(step: DeclaredStep): DeclaredStep {
  if (!step.using) return step;
  const own = step.fields.map(({ name }) => name);
  const imported = importedFields(step.key, step.using).filter(({ name }) => !own.includes(name));
  return { ...step, fields: [...imported, ...step.fields] };
}

export const importOf = (step: StepSpec): DeclaredStep["using"] => (step as Partial<DeclaredStep>).using;
