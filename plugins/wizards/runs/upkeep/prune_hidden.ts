import type { StepContext } from "../../contract/index.ts";
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

const hasContent = ({ staged, drafts, visited, persisted }: RunContent, step: string): boolean =>
  Object.hasOwn(staged, step) ||
  Object.hasOwn(drafts, step) ||
  visited.includes(step) ||
  persisted.some((entry) => entry.step === step);
