import type { BaseModel, Database, Transaction } from "framewright/plugins/database";
import type { StepContext, WizardFlow } from "../../contract/index.ts";
import { persistedRecords, submitContext } from "../lifecycle/submit_context.ts";
import type { RunContent } from "../run.ts";

export interface RollbackParts {
  readonly database: Database;
  readonly flow: WizardFlow;
  readonly transaction: Transaction;
}

/**
 * Undoes steps, the last first: calls `onRollback` where the step was submitted, then destroys the records that it
 * persisted, the latest first. Records that no longer exist are skipped.
 */
export async function rollBack(
  parts: RollbackParts,
  content: RunContent,
  steps: readonly string[],
  context: StepContext,
): Promise<void> {
  for (const step of steps.toReversed()) {
    const { onRollback } = parts.flow.step(step) ?? {};
    if (onRollback && Object.hasOwn(content.staged, step))
      await onRollback(await submitContext(parts, { content, step, context }));
    await destroyPersisted(parts, content, step);
  }
}

async function destroyPersisted(
  { database, transaction }: RollbackParts,
  content: RunContent,
  step: string,
): Promise<void> {
  const entries = content.persisted.filter((entry) => entry.step === step);
  const records = await persistedRecords(database, entries, transaction);
  for (const { key } of entries.toReversed()) {
    const record: BaseModel | undefined = records[key];
    if (record) await record.$query(transaction).delete();
  }
  content.persisted = content.persisted.filter((entry) => entry.step !== step);
}

/** The steps that a run has answers or records of: removed steps first, then the current ones in order. */
export function startedSteps(flow: WizardFlow, content: RunContent): string[] {
  const started = new Set([...Object.keys(content.staged), ...content.persisted.map(({ step }) => step)]);
  const known = flow.steps.map(({ key }) => key);
  return [...[...started].filter((step) => !known.includes(step)), ...known.filter((step) => started.has(step))];
}
