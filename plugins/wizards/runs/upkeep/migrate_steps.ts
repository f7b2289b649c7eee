import type { Notice, StepContext, WizardFlow } from "../../contract/index.ts";
import { migrateStaged } from "../../flow/schema.ts";
import { copyContent, type StoredRun } from "../run.ts";
import { restoreAnswers, setAside } from "./set_aside.ts";

/** A run on the current steps. */
export interface MigratedRun {
  readonly run: StoredRun;
  /** The run as stored; the same unless a deploy changed the steps since. */
  readonly stored: StoredRun;
  /** A step before the cursor that a deploy added or changed, to be answered again. */
  readonly stepToRepeat: string | undefined;
}

/** Module-level: found by a schema of a flow, and freed with it. */
const schemaTexts = new WeakMap<object, string>();
/** A schema as JSON, cached. */
const schemaText = (schema: object): string => {
  const text = schemaTexts.get(schema) ?? JSON.stringify(schema);
  schemaTexts.set(schema, text);
  return text;
};

/** Whether a run was stored on the current steps: an open one of this request is as `migrateRun` gives it then. */
export const isOnCurrentSteps = ({ row }: StoredRun, { schema }: WizardFlow): boolean =>
  row.schema_map === schemaText(schema);

/**
 * Migrates a run that was started on other steps to the current ones, in memory; the next write stores it. Answers that
 * have no place in them are set aside: another release that serves at the same time may need them.
 */
export function migrateRun(run: StoredRun, flow: WizardFlow, context: StepContext): MigratedRun {
  if (run.state === "completed") return { run, stored: run, stepToRepeat: undefined };
  if (isOnCurrentSteps(run, flow))
    return { run: withVisibleCursor(run, flow, context), stored: run, stepToRepeat: undefined };
  const answers = restoreAnswers(flow, run);
  const { staged, dropped, renamed, changed } = migrateStaged(flow, answers.schema, answers.staged);
  const nameOf = (step: string): string => renamed[step] ?? step;
  const content = copyContent(run);
  const visible = flow.visible(staged, context).map(({ key }) => key);
  const visited = [...new Set([...content.visited, ...answers.restored].map(nameOf))].filter((step) => flow.step(step));
  const place = cursorOf(flow, visible, nameOf(run.cursor), visited);
  const stepToRepeat = visible.slice(0, Math.max(0, visible.indexOf(place))).find((step) => changed.includes(step));
  const cursor = stepToRepeat ?? place;
  const migratedRun: StoredRun = {
    ...run,
    staged,
    aside: setAside(flow, answers, dropped),
    drafts: Object.fromEntries(Object.entries(content.drafts).map(([step, typed]) => [nameOf(step), typed])),
    visited: visited.includes(cursor) ? visited : [...visited, cursor],
    reads: Object.fromEntries(Object.entries(content.reads).map(([step, read]) => [nameOf(step), read.map(nameOf)])),
    persisted: content.persisted.map((entry) => ({ ...entry, step: nameOf(entry.step) })),
    schema: flow.schema,
    cursor,
    notices: noticesOf(flow, dropped, stepToRepeat, run.cursor !== cursor),
  };
  return { run: migratedRun, stored: run, stepToRepeat };
}

/** Moves a cursor that a condition hides by now, for example because the account changed: its step has no page. */
function withVisibleCursor(run: StoredRun, flow: WizardFlow, context: StepContext): StoredRun {
  const visible = flow.visible(run.staged, context).map(({ key }) => key);
  const cursor = cursorOf(flow, visible, run.cursor, run.visited);
  return cursor === run.cursor ? run : { ...run, cursor };
}

/** The cursor's step or, when it is removed or hidden, the first visible step that was not visited. */
function cursorOf(flow: WizardFlow, visible: readonly string[], cursor: string, visited: readonly string[]): string {
  if (visible.includes(cursor)) return cursor;
  const unfilled = visible.find((step) => !visited.includes(step));
  return unfilled ?? visible.at(-1) ?? flow.steps[0]!.key;
}

function noticesOf(
  flow: WizardFlow,
  dropped: readonly { step: string; field?: string }[],
  stepToRepeat: string | undefined,
  moved: boolean,
): Notice[] {
  if (stepToRepeat !== undefined)
    return [{ text: "wizards.notices.step_added", vars: { step: stepLabelOf(flow, stepToRepeat) } }];
  if (dropped.length > 0) {
    const names = [...new Set(dropped.map(({ step }) => stepLabelOf(flow, step)))];
    return [{ text: "wizards.notices.answers_dropped", vars: { steps: names.join(", ") } }];
  }
  return moved ? [{ text: "wizards.notices.steps_changed" }] : [];
}

export function stepLabelOf(flow: WizardFlow, key: string): string {
  const words = key.replaceAll("_", " ");
  return flow.step(key)?.label ?? words.charAt(0).toUpperCase() + words.slice(1);
}
