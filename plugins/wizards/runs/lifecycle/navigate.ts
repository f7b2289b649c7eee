import { conflict, type FieldErrors, notFound, type ParamObject, Params, payloadTooLarge } from "framewright/host";
import type { Move, Run, Saved, StepSpec, Visit } from "../../contract/index.ts";
import { referring, withDraftFiles } from "../../fields/draft_files.ts";
import { type Staging, stageFiles } from "../../fields/staged_values.ts";
import { checkStep } from "../../flow/check_flow.ts";
import { readStep } from "../../flow/read_step.ts";
import type { Core } from "../context.ts";
import { filesOf } from "../files.ts";
import { stepToFix } from "../refusal.ts";
import { again } from "../retry_on_conflict.ts";
import type { Content, OpenRun } from "../run.ts";
import { contextOf, sayOf } from "../run_scope.ts";
import { done, elsewhere, gone, neighbour, stepNamed, toCursor } from "../step_position.ts";
import { complete } from "./complete.ts";
import { Ended, keepDraft, tryDraft } from "./draft.ts";
import { DRAFT_LIMIT, draftOf, sizeOf } from "./draft_size.ts";
import { Submission, type Submitted } from "./submit.ts";
import { awaitEnd } from "./wait_for_completion.ts";

type Invalid = Extract<Move, { kind: "invalid" }>;

/** What GET of a step shows. */
export function look(visit: Visit, run: OpenRun, key: string): Move {
  if (run.state === "completed") return done(run);
  const { flow } = visit.mount.wizard;
  const move = elsewhere(flow, run, key, contextOf(visit));
  return move ?? { kind: "step", run, step: stepNamed(flow, key)!.key };
}

/** Keeps what was sent for a step and goes on; the last step completes the run. */
export async function next(core: Core, visit: Visit, run: OpenRun, step: StepSpec, params: Params): Promise<Move> {
  const sent = await receive(core, visit, run, step, params);
  try {
    const errors = await problems(visit, run, step, sent);
    if (Object.keys(errors).length > 0) return await invalid(core, visit, run, step, sent, errors);
    const submission = new Submission(core, visit, step, (before) => readStep(step, sent.params, before).values);
    const submitted = await again(visit, () => submission.send(run)).catch(async (error: unknown) => {
      sent.keptBy = await tryDraft(core, visit, run, step, sent.params.toObject());
      throw error;
    });
    if ("row" in submitted) sent.keptBy = "answers";
    return await answer(core, visit, run, submission, submitted, sent);
  } finally {
    await removeUnkept(core, sent);
  }
}

async function answer(
  core: Core,
  visit: Visit,
  run: OpenRun,
  { step }: Submission,
  submitted: Submitted,
  sent: Sent,
): Promise<Move> {
  switch (submitted.kind) {
    case "refused": {
      const move = await invalid(core, visit, run, step, sent, submitted.refusal.errors);
      const steps = visit.mount.wizard.flow.visible(run.staged, contextOf(visit));
      const asking = stepToFix(steps, step, submitted.refusal);
      return asking === step.key ? move : { ...move, step: asking, typed: undefined };
    }
    case "elsewhere":
      return submitted.move;
    case "ended":
      return awaitEnd(core, visit, run);
    case "completing":
      return complete(core, visit, submitted.row, step.key);
    case "moved": {
      const moved = core.open(submitted.row, visit.mount.wizard, contextOf(visit));
      return moved ? toCursor(moved.run, ...submitted.notices) : gone;
    }
  }
}

/** What came with a step, its files stored: those that nothing keeps in the end are removed again. */
interface Sent extends Pick<Staging, "params" | "stored" | "errors"> {
  /** The run whose draft has them, or the answers. */
  keptBy: OpenRun | "answers" | undefined;
}
async function receive(core: Core, { controller }: Visit, run: Run, step: StepSpec, params: Params): Promise<Sent> {
  const { storage } = core.parts;
  const [before, draft] = [run.staged[step.key], run.drafts[step.key]];
  const typed = new Params(withDraftFiles(step.fields, params.toObject(), draft), "wizard");
  const staging = storage
    ? await stageFiles(storage, step, typed, before, sayOf(controller))
    : { params: typed, stored: [], errors: {} };
  return { ...staging, keptBy: undefined };
}
async function removeUnkept(core: Core, { stored, keptBy }: Sent): Promise<void> {
  if (stored.length === 0 || keptBy === "answers") return;
  const kept = new Set(keptBy && filesOf(keptBy).map(({ key }) => key));
  await core.removeFiles(stored.map(({ key }) => key).filter((key) => !kept.has(key)));
}
async function problems(visit: Visit, run: Run, step: StepSpec, sent: Sent): Promise<FieldErrors> {
  const say = sayOf(visit.controller);
  const { values, errors } = readStep(step, sent.params, run.staged[step.key], say);
  const answers = { flow: visit.mount.wizard.flow, staged: run.staged };
  const found = await checkStep(step, values, contextOf(visit), { say, answers, persisted: run.persisted });
  return { ...found, ...errors, ...sent.errors }; // what can't be read is said first
}

/** The form again: what was typed is kept as a draft as well, with the files that came. */
async function invalid(
  core: Core,
  visit: Visit,
  run: OpenRun,
  step: StepSpec,
  sent: Sent,
  errors: FieldErrors,
): Promise<Invalid> {
  const staged = sent.params.toObject();
  sent.keptBy = await tryDraft(core, visit, run, step, staged);
  const shown = sent.keptBy ?? run;
  return { kind: "invalid", run: shown, step: step.key, errors, typed: typedOf(shown, step, staged) };
}
const typedOf = ({ drafts }: Run, { key, fields }: StepSpec, staged: ParamObject): ParamObject =>
  referring(fields, staged, drafts[key]).typed;

/** One step back: what was typed is kept as it stands, with the files that came. */
export async function back(core: Core, visit: Visit, run: OpenRun, step: StepSpec, params: Params): Promise<Move> {
  const { flow } = visit.mount.wizard;
  const move = (content: Content) => {
    content.cursor = neighbour(flow, content, step.key, contextOf(visit), -1) ?? step.key;
  };
  const sent = await receive(core, visit, run, step, params);
  try {
    sent.keptBy = await again(visit, () => keepDraft(core, visit, run, step, sent.params.toObject(), move));
    return toCursor(sent.keptBy, ...run.notices);
  } catch (error) {
    if (error instanceof Ended) return awaitEnd(core, visit, run);
    throw error;
  } finally {
    await removeUnkept(core, sent);
  }
}

/** PUT: a draft, and nothing else; what was typed comes back as a form shows it. @throws HttpError 404, 409, 413 */
export async function autosave(
  core: Core,
  visit: Visit,
  run: OpenRun,
  key: string,
  typed: ParamObject,
): Promise<Saved> {
  const { flow } = visit.mount.wizard;
  const step = stepNamed(flow, key);
  if (!step) throw notFound();
  if (run.state !== "in_progress" || elsewhere(flow, run, key, contextOf(visit))) throw moved(visit);
  if (sizeOf(draftOf(step.fields, typed)) > DRAFT_LIMIT) throw payloadTooLarge(DRAFT_LIMIT);
  const sent = await receive(core, visit, run, step, new Params(typed, "wizard"));
  try {
    const staged = sent.params.toObject();
    const kept = await again(visit, () => keepDraft(core, visit, run, step, staged));
    sent.keptBy = kept;
    return { run: kept, typed: typedOf(kept, step, staged) };
  } catch (error) {
    throw error instanceof Ended ? moved(visit) : error;
  } finally {
    await removeUnkept(core, sent);
  }
}
const moved = (visit: Visit) => conflict(visit.controller.t("wizards.notices.ended"));
