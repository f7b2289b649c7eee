import type { ParamObject } from "framewright/host";
import type { Run, StepSpec, Visit } from "../../contract/index.ts";
import { referring, withDraftFiles, withFiles } from "../../fields/draft_files.ts";
import type { Core } from "../context.ts";
import { filesOf, keysGone } from "../files.ts";
import type { Happening } from "../history.ts";
import { type Content, contentOf, type OpenRun } from "../run.ts";
import { contextOf } from "../run_scope.ts";
import { DRAFT_LIMIT, draftOf, sizeOf } from "./draft_size.ts";

/** The run is not open any more. */
export class Ended extends Error {}

/** Keeps a draft where that can be: the page shows what was typed all the same. */
export const tryDraft = (...given: Parameters<typeof keepDraft>): Promise<OpenRun | undefined> =>
  keepDraft(...given).catch(() => undefined);

/** Puts what was typed beside the answers that are stored at this moment, with the files that it brought. @throws Again, Ended */
export async function keepDraft(
  core: Core,
  visit: Visit,
  { id }: Run,
  step: StepSpec,
  typed: ParamObject,
  change?: (content: Content) => void,
): Promise<OpenRun> {
  const { wizard } = visit.mount;
  const row = await core.store.byId(id);
  const opened = row && core.open(row, wizard, contextOf(visit));
  if (opened?.run.state !== "in_progress") throw new Ended();
  const { run, stored } = opened;
  const content = contentOf(run);
  const draft = draftWithFiles(step, typed, content.drafts[step.key]);
  if (sizeOf(draft) <= DRAFT_LIMIT && !step.review) content.drafts = { ...content.drafts, [step.key]: draft };
  change?.(content);
  const written = await core.write({ run, wizard }, content, { base: visit.base });
  const happenings: Happening[] = [];
  if (stored.schema !== run.schema) happenings.push({ kind: "migrated" });
  if (change) happenings.push({ kind: "back", step: step.key });
  await core.trail.record(run.row, happenings, visit.controller);
  await core.after(written, happenings, keysGone(filesOf(stored), filesOf(content)));
  return core.open(written, wizard, contextOf(visit))!.run;
}

function draftWithFiles({ fields }: StepSpec, typed: ParamObject, before: ParamObject | undefined): ParamObject {
  const found = referring(fields, withDraftFiles(fields, typed, before), before);
  return withFiles(draftOf(fields, found.typed), found.files);
}
