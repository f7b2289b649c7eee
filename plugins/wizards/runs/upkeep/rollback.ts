import type { BaseModel, Database, Transaction } from "framewright/plugins/database";
import type { FlowFace, StepContext } from "../../contract/index.ts";
import { persistedRecords, submitContext } from "../lifecycle/submit_context.ts";
import type { Content } from "../run.ts";

export interface RollbackParts {
  readonly database: Database;
  readonly flow: FlowFace;
  readonly transaction: Transaction;
}

/**
 * Undoes steps, the last first: asks `onRollback` where the step was sent, then destroys what it persisted, the latest
 * first. What was persisted and is gone already is left at that.
 */
export async function rollBack(
  parts: RollbackParts,
  content: Content,
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
  content: Content,
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

/** The steps that a run has anything of, today's in their order, then those that are no more. */
export function stepsBegun(flow: FlowFace, content: Content): string[] {
  const begun = new Set([...Object.keys(content.staged), ...content.persisted.map(({ step }) => step)]);
  const known = flow.steps.map(({ key }) => key);
  return [...[...begun].filter((step) => !known.includes(step)), ...known.filter((step) => begun.has(step))];
}
