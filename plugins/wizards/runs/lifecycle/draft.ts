import type { ParamObject } from "framewright/host";
import { withDraftFiles, withFileReferences, withFiles } from "framewright/plugins/fields/rows";
import type { StepSpec } from "../../contract/index.ts";
import type { RunStepContext } from "../context.ts";
import { filesOf, removedKeys } from "../files.ts";
import type { RunEvent } from "../history.ts";
import { copyContent, type RunContent, type StoredRun } from "../run.ts";
import { stepContextOf } from "../run_scope.ts";
import { byteSize, draftOf, MAX_DRAFT_BYTES } from "./draft_size.ts";

/** The run is not open any more. */
export class RunEndedError extends Error {}

/** Saves a draft; undefined where that fails: the page shows the input all the same. */
export const trySaveDraft = (...given: Parameters<typeof saveDraft>): Promise<StoredRun | undefined> =>
  saveDraft(...given).catch(() => undefined);

/** Stores input beside the answers that the row has now, with the files that came with it. @throws StaleRunError, RunEndedError */
export async function saveDraft(
  { core, visit, run: { id }, step }: RunStepContext,
  typed: ParamObject,
  change?: (content: RunContent) => void,
): Promise<StoredRun> {
  const { wizard } = visit.mount;
  const row = await core.store.byId(id);
  const opened = row && core.open(row, wizard, stepContextOf(visit));
  if (opened?.run.state !== "in_progress") throw new RunEndedError();
  const { run, stored } = opened;
  const content = copyContent(run);
  const draft = draftWithFiles(step, typed, content.drafts[step.key]);
  if (byteSize(draft) <= MAX_DRAFT_BYTES && !step.review) content.drafts = { ...content.drafts, [step.key]: draft };
  change?.(content);
  const written = await core.write({ run, wizard }, content, { base: visit.base });
  const events: RunEvent[] = [];
  if (stored.schema !== run.schema) events.push({ kind: "migrated" });
  if (change) events.push({ kind: "back", step: step.key });
  await core.history.record(run.row, events, visit.controller);
  await core.afterCommit(written, events, removedKeys(filesOf(stored), filesOf(content)));
  return core.open(written, wizard, stepContextOf(visit))!.run;
}

function draftWithFiles({ fields }: StepSpec, typed: ParamObject, before: ParamObject | undefined): ParamObject {
  const referenced = withFileReferences(fields, withDraftFiles(fields, typed, before), before);
  return withFiles(draftOf(fields, referenced.typed), referenced.files);
}
