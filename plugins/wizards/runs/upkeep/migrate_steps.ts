import type { FlowFace, Notice, StepContext } from "../../contract/index.ts";
import { migrateStaged } from "../../flow/schema.ts";
import { contentOf, type OpenRun } from "../run.ts";

/** A run as today's steps see it. */
export interface Migrated {
  readonly run: OpenRun;
  /** As it is stored, which is the same unless a deploy changed the steps since. */
  readonly stored: OpenRun;
  /** A step before the cursor that a deploy added or changed. */
  readonly again: string | undefined;
}

const written = new WeakMap<object, string>();
/** A schema as JSON, made once. */
const textOf = (schema: object): string => {
  const text = written.get(schema) ?? JSON.stringify(schema);
  written.set(schema, text);
  return text;
};

/** Brings a run that was begun on other steps to those of today, in memory: the next write keeps it. */
export function migrated(run: OpenRun, flow: FlowFace, context: StepContext): Migrated {
  if (run.state === "completed") return { run, stored: run, again: undefined };
  if (run.row.schema_map === textOf(flow.schema))
    return { run: inSight(run, flow, context), stored: run, again: undefined };
  const { staged, dropped, renamed, changed } = migrateStaged(flow, run.schema, run.staged);
  const nameOf = (step: string): string => renamed[step] ?? step;
  const content = contentOf(run);
  const visible = flow.visible(staged, context).map(({ key }) => key);
  const visited = content.visited.map(nameOf).filter((step) => flow.step(step));
  const place = cursorOf(flow, visible, nameOf(run.cursor), visited);
  const again = visible.slice(0, Math.max(0, visible.indexOf(place))).find((step) => changed.includes(step));
  const cursor = again ?? place;
  const migratedRun: OpenRun = {
    ...run,
    staged,
    drafts: Object.fromEntries(
      Object.entries(content.drafts)
        .map(([step, typed]) => [nameOf(step), typed] as const)
        .filter(([step]) => flow.step(step)),
    ),
    visited: visited.includes(cursor) ? visited : [...visited, cursor],
    persisted: content.persisted.map((entry) => ({ ...entry, step: nameOf(entry.step) })),
    schema: flow.schema,
    cursor,
    notices: noticesOf(flow, dropped, again, run.cursor !== cursor),
  };
  return { run: migratedRun, stored: run, again };
}

/** A cursor that a condition hides by now, as when the account changed, is moved: it would lead nowhere. */
function inSight(run: OpenRun, flow: FlowFace, context: StepContext): OpenRun {
  const visible = flow.visible(run.staged, context).map(({ key }) => key);
  const cursor = cursorOf(flow, visible, run.cursor, run.visited);
  return cursor === run.cursor ? run : { ...run, cursor };
}

/** The cursor's step, or, when it is gone or hidden, the first that is visible and was not visited. */
function cursorOf(flow: FlowFace, visible: readonly string[], cursor: string, visited: readonly string[]): string {
  if (visible.includes(cursor)) return cursor;
  const unfilled = visible.find((step) => !visited.includes(step));
  return unfilled ?? visible.at(-1) ?? flow.steps[0]!.key;
}

function noticesOf(
  flow: FlowFace,
  dropped: readonly { step: string; field?: string }[],
  again: string | undefined,
  moved: boolean,
): Notice[] {
  if (again !== undefined) return [{ text: "wizards.notices.step_added", vars: { step: labelOf(flow, again) } }];
  if (dropped.length > 0) {
    const names = [...new Set(dropped.map(({ step }) => labelOf(flow, step)))];
    return [{ text: "wizards.notices.answers_dropped", vars: { steps: names.join(", ") } }];
  }
  return moved ? [{ text: "wizards.notices.steps_changed" }] : [];
}

export function labelOf(flow: FlowFace, key: string): string {
  const words = key.replaceAll("_", " ");
  return flow.step(key)?.label ?? words.charAt(0).toUpperCase() + words.slice(1);
}
