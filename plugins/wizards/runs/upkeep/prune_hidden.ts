import { hiddenValue, isValues, own, walkFields } from "framewright/plugins/fields/rows";
import type { FieldScope, FieldSpec, Staged, StepContext, StepValues, WizardFlow } from "../../contract/index.ts";
import type { RunContent } from "../run.ts";
import { type RollbackParts, rollBack } from "./rollback.ts";

/** Removes answers, drafts, visits and persisted records of steps that the answers hide now. Returns the steps' keys. */
export async function pruneHidden(parts: RollbackParts, content: RunContent, context: StepContext): Promise<string[]> {
  const { flow } = parts;
  const visible = new Set(flow.visible(content.staged, context).map(({ key }) => key));
  const hidden = flow.steps.map(({ key }) => key).filter((step) => !visible.has(step) && hasContent(content, step));
  if (hidden.length === 0) return [];
  await rollBack(parts, content, hidden, context);
  content.visited = content.visited.filter((step) => !hidden.includes(step));
  for (const step of hidden) {
    delete content.staged[step];
    delete content.drafts[step];
    delete content.reads[step];
  }
  return hidden;
}

/** The answers without those of fields that other answers hide now. */
export function pruneFields(flow: WizardFlow, staged: Staged, context: StepContext): Staged {
  const pruned: Staged = {};
  for (const [key, values] of Object.entries(staged)) {
    const { fields = [] } = flow.step(key) ?? {};
    pruned[key] = hasConditions(fields) ? pruneValues(fields, values, flow.scope(key, staged, context)) : values;
  }
  return pruned;
}

const hasConditions = (fields: readonly FieldSpec[]): boolean =>
  fields.some(({ options, fields: inner }) => options.condition !== undefined || hasConditions(inner));

function pruneValues(fields: readonly FieldSpec[], values: StepValues, scope: FieldScope): StepValues {
  const pruned = { ...values };
  walkFields(fields, scope, (field, _, isShown) => {
    const value = own(values, field.name);
    pruned[field.name] = isShown ? pruneValue(field, value, scope) : hiddenValue(field);
    return pruned[field.name];
  });
  return pruned;
}

function pruneValue({ type, fields }: FieldSpec, value: unknown, scope: FieldScope): unknown {
  if (type === "group" && isValues(value)) return pruneValues(fields, value, scope);
  if (type !== "repeated" || !Array.isArray(value)) return value;
  return value.map((entry: unknown) => (isValues(entry) ? pruneValues(fields, entry, scope) : entry));
}

const hasContent = ({ staged, drafts, visited, persisted }: RunContent, step: string): boolean =>
  Object.hasOwn(staged, step) ||
  Object.hasOwn(drafts, step) ||
  visited.includes(step) ||
  persisted.some((entry) => entry.step === step);
