import type { StepContext } from "../../contract/index.ts";
import type { Content } from "../run.ts";
import { type RollbackParts, rollBack } from "./rollback.ts";

/** Takes away what a branch that flipped hid: answers, drafts, visits, and what those steps persisted. Names the steps. */
export async function prune(parts: RollbackParts, content: Content, context: StepContext): Promise<string[]> {
  const { flow } = parts;
  const visible = new Set(flow.visible(content.staged, context).map(({ key }) => key));
  const hidden = flow.steps.map(({ key }) => key).filter((step) => !visible.has(step) && hasAnything(content, step));
  if (hidden.length === 0) return [];
  await rollBack(parts, content, hidden, context);
  content.visited = content.visited.filter((step) => !hidden.includes(step));
  for (const step of hidden) {
    delete content.staged[step];
    delete content.drafts[step];
  }
  return hidden;
}

const hasAnything = ({ staged, drafts, visited, persisted }: Content, step: string): boolean =>
  Object.hasOwn(staged, step) ||
  Object.hasOwn(drafts, step) ||
  visited.includes(step) ||
  persisted.some((entry) => entry.step === step);
