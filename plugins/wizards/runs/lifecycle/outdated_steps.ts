import type { StepSpec } from "../../contract/index.ts";
import type { RunContent } from "../run.ts";

/**
 * The answers as `onSubmit` reads them: the returned `reads` fills with the other steps that it reads. A step without
 * answers can be read too, and is not listed.
 */
export function trackReads(
  data: Readonly<Record<string, unknown>>,
  steps: readonly StepSpec[],
  own: string,
): { data: Record<string, unknown>; reads: ReadonlySet<string> } {
  const reads = new Set<string>();
  const tracked: Record<string, unknown> = {};
  for (const { key } of steps) {
    const get = () => {
      if (key !== own) reads.add(key);
      return data[key];
    };
    Object.defineProperty(tracked, key, { get, enumerable: Object.hasOwn(data, key), configurable: true });
  }
  return { data: tracked, reads };
}

/**
 * After a step was submitted: the first later step whose `onSubmit` read an answer that is another one now, and all steps
 * after it, no longer count as visited. They keep their answers and have to be submitted again, in order.
 */
export function unvisitOutdated(
  content: RunContent,
  { key, before, visible }: { key: string; before: RunContent["staged"]; visible: readonly StepSpec[] },
): void {
  const place = visible.findIndex((step) => step.key === key);
  if (!visible.some((step, index) => index > place && step.onSubmit)) return;
  const changed = changedSteps(before, content.staged);
  const first = visible.findIndex((step, index) => index > place && isOutdated(content, step, changed));
  if (first === -1) return;
  const outdated = visible.slice(first).map((step) => step.key);
  content.visited = content.visited.filter((step) => !outdated.includes(step));
}

function changedSteps(before: RunContent["staged"], after: RunContent["staged"]): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

/** A run from before reads were stored has none: its steps may have read every answer. */
function isOutdated({ staged, reads }: RunContent, { key, onSubmit }: StepSpec, changed: readonly string[]): boolean {
  if (!onSubmit || !Object.hasOwn(staged, key)) return false;
  return changed.some((one) => one !== key && (reads[key]?.includes(one) ?? true));
}
