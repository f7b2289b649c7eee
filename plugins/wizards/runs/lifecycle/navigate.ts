import { conflict, type FieldErrors, notFound, type ParamObject, Params, payloadTooLarge } from "framewright/host";
import { unseenFields } from "framewright/plugins/fields";
import { dynamicPaths, haveFunctions, withDraftFiles, withFileReferences } from "framewright/plugins/fields/rows";
import type { Run, SavedDraft, StepReading, StepResult, StepSpec, StepValues, Visit } from "../../contract/index.ts";
import { type Staging, stageFiles } from "../../fields/staged_values.ts";
import { stepNodes } from "../../fields/step_form.ts";
import { checkStep } from "../../flow/check_flow.ts";
import { nobody, readStep } from "../../flow/read_step.ts";
import type { EngineCore, RunContext, RunStepContext } from "../context.ts";
import { filesOf } from "../files.ts";
import { stepToFix } from "../refusal.ts";
import { retryOnConflict } from "../retry_on_conflict.ts";
import type { RunContent, StoredRun } from "../run.ts";
import { stepContextOf, translatorOf } from "../run_scope.ts";
import { adjacentStep, cursorResult, doneResult, findStep, redirectFor } from "../step_position.ts";
import { migrateRun } from "../upkeep/migrate_steps.ts";
import { complete } from "./complete.ts";
import { RunEndedError, saveDraft, trySaveDraft } from "./draft.ts";
import { byteSize, draftOf, MAX_DRAFT_BYTES } from "./draft_size.ts";
import { hearStep } from "./sent_step.ts";
import { Submission, type SubmissionResult } from "./submit.ts";
import { waitForCompletion } from "./wait_for_completion.ts";

type Invalid = Extract<StepResult, { kind: "invalid" }>;

/** What GET of a step shows. */
export function resolveStep(visit: Visit, run: StoredRun, key: string): StepResult {
  if (run.state === "completed") return doneResult(run);
  const { flow } = visit.mount.wizard;
  const redirect = redirectFor(flow, run, key, stepContextOf(visit));
  return redirect ?? { kind: "step", run, step: findStep(flow, key)!.key };
}

/** Stores what was sent for a step and advances, or returns to the review; the last step completes the run. */
export async function submitStep(
  context: RunStepContext,
  params: Params,
  direction: "next" | "review" = "next",
): Promise<StepResult> {
  const { core, visit } = context;
  const heard = await hearStep(context, params);
  const received = await receiveStep(context, heard.params);
  try {
    const errors = withoutUnseen(context, received, heard.withErrors(await checkReceived(context, received)));
    const isWaiting = heard.notices.length > 0;
    if (isWaiting || Object.keys(errors).length > 0) {
      const result = await invalidResult(context, received, errors);
      const { run, step } = result;
      return isWaiting && Object.keys(errors).length === 0
        ? { kind: "step", run, step, notices: heard.notices }
        : result;
    }
    const submission = new Submission(context, (before) => received.read(before).values, direction);
    const submitted = await retryOnConflict(visit, () => submission.send()).catch(async (error: unknown) => {
      received.keptBy = await trySaveDraft(context, received.params.toObject());
      throw error;
    });
    if ("row" in submitted) received.keptBy = "answers";
    return await resultOf(context, submitted, received);
  } finally {
    await removeUnkeptFiles(core, received);
  }
}

async function resultOf(
  context: RunStepContext,
  submitted: SubmissionResult,
  received: ReceivedStep,
): Promise<StepResult> {
  const { core, visit, run, step } = context;
  switch (submitted.kind) {
    case "refused": {
      const result = await invalidResult(context, received, submitted.refusal.errors);
      const steps = visit.mount.wizard.flow.visible(run.staged, stepContextOf(visit));
      const toFix = stepToFix(steps, step, submitted.refusal);
      return toFix === step.key ? result : { ...result, step: toFix, typed: undefined };
    }
    case "redirected":
      return submitted.result;
    case "ended":
      return waitForCompletion(core, visit, run);
    case "completing":
      return complete(core, visit, submitted.row, step.key);
    case "advanced": {
      const written = core.codec.written(submitted.row, submitted.content);
      const { run: advanced } = migrateRun(written, visit.mount.wizard.flow, stepContextOf(visit));
      return cursorResult(advanced, ...submitted.notices);
    }
  }
}

/** What a step's fields are read with. */
const readingOf = ({ visit, run, step }: Pick<RunStepContext, "visit" | "run" | "step">) => ({
  translate: translatorOf(visit.controller),
  scope: haveFunctions(step.fields)
    ? visit.mount.wizard.flow.scope(step.key, run.staged, stepContextOf(visit))
    : nobody,
});

/** What was sent for a step, its files stored; files that neither answers nor a draft keep are removed at the end of the request. */
interface ReceivedStep extends Pick<Staging, "params" | "stored" | "errors"> {
  /** The run whose draft keeps the files, or its answers. */
  keptBy: StoredRun | "answers" | undefined;
  /** Reads the fields; once for the same stored answers, which fill in what was not sent again. */
  read(before: StepValues | undefined): StepReading;
}
async function receiveStep({ core, visit, run, step }: RunStepContext, params: Params): Promise<ReceivedStep> {
  const { storage } = core.parts;
  const [before, draft] = [run.staged[step.key], run.drafts[step.key]];
  const typed = new Params(withDraftFiles(step.fields, params.toObject(), draft), "wizard");
  const reading = readingOf({ visit, run, step });
  const staging = storage
    ? await stageFiles(storage, step, typed, before, reading)
    : { params: typed, stored: [], errors: {} };
  const read = readOnce((stored) => readStep(step, staging.params, stored, reading));
  return Object.assign({}, staging, { keptBy: undefined, read });
}
/** A submission reads a step to check it, to see where it leads and to store it. */
function readOnce(read: ReceivedStep["read"]): ReceivedStep["read"] {
  let last: { before: StepValues | undefined; reading: StepReading } | undefined;
  return (before) => {
    if (!last || last.before !== before) last = { before, reading: read(before) };
    return last.reading;
  };
}
async function removeUnkeptFiles(core: EngineCore, { stored, keptBy }: ReceivedStep): Promise<void> {
  if (stored.length === 0 || keptBy === "answers") return;
  const kept = new Set(keptBy && filesOf(keptBy).map(({ key }) => key));
  await core.removeFiles(stored.map(({ key }) => key).filter((key) => !kept.has(key)));
}
async function checkReceived({ visit, run, step }: RunStepContext, received: ReceivedStep): Promise<FieldErrors> {
  const translate = translatorOf(visit.controller);
  const { values, errors } = received.read(run.staged[step.key]);
  const answers = { flow: visit.mount.wizard.flow, staged: run.staged };
  const found = await checkStep(step, values, stepContextOf(visit), { translate, answers, persisted: run.persisted });
  return { ...found, ...errors, ...received.errors }; // an unreadable value replaces the errors of rules
}

/** Fields that the page did not show and that the step has by now are asked for first, without errors of their own. */
function withoutUnseen(context: RunStepContext, { params }: ReceivedStep, errors: FieldErrors): FieldErrors {
  const { run, step, visit } = context;
  const unseen = unseenFields(params, () => {
    const { scope } = readingOf(context);
    return dynamicPaths(stepNodes({ step, values: run.staged[step.key], typed: params.toObject(), scope }));
  });
  if (unseen.length === 0) return errors;
  const isUnseen = (path: string) => unseen.some((one) => path === one || path.startsWith(`${one}.`));
  const others = Object.entries(errors).filter(([path]) => !isUnseen(path));
  return { ...Object.fromEntries(others), base: [visit.controller.t("form.more_fields")] };
}

/** The form again; the input is saved as a draft as well, with its files. */
async function invalidResult(context: RunStepContext, received: ReceivedStep, errors: FieldErrors): Promise<Invalid> {
  const { run, step } = context;
  const staged = received.params.toObject();
  received.keptBy = await trySaveDraft(context, staged);
  const shown = received.keptBy ?? run;
  return { kind: "invalid", run: shown, step: step.key, errors, typed: typedInput(shown, step, staged) };
}
const typedInput = ({ drafts }: Run, { key, fields }: StepSpec, staged: ParamObject): ParamObject =>
  withFileReferences(fields, staged, drafts[key]).typed;

/** One step back; the input is saved unchecked as a draft, with its files. */
export async function goBack(context: RunStepContext, params: Params): Promise<StepResult> {
  const { core, visit, run, step } = context;
  const { flow } = visit.mount.wizard;
  const moveCursor = (content: RunContent) => {
    content.cursor = adjacentStep(flow, content, step.key, stepContextOf(visit), -1) ?? step.key;
  };
  const received = await receiveStep(context, params);
  try {
    received.keptBy = await retryOnConflict(visit, () => saveDraft(context, received.params.toObject(), moveCursor));
    return cursorResult(received.keptBy, ...run.notices);
  } catch (error) {
    if (error instanceof RunEndedError) return waitForCompletion(core, visit, run);
    throw error;
  } finally {
    await removeUnkeptFiles(core, received);
  }
}

/** PUT: saves a draft and nothing else; returns the input as a form shows it. @throws HttpError 404, 409, 413 */
export async function autosave(context: RunContext, key: string, typed: ParamObject): Promise<SavedDraft> {
  const { core, visit, run } = context;
  const { flow } = visit.mount.wizard;
  const step = findStep(flow, key);
  if (!step) throw notFound();
  if (run.state !== "in_progress" || redirectFor(flow, run, key, stepContextOf(visit))) throw endedConflict(visit);
  if (byteSize(draftOf(step.fields, typed)) > MAX_DRAFT_BYTES) throw payloadTooLarge(MAX_DRAFT_BYTES);
  const received = await receiveStep({ ...context, step }, new Params(typed, "wizard"));
  try {
    const staged = received.params.toObject();
    const saved = await retryOnConflict(visit, () => saveDraft({ ...context, step }, staged));
    received.keptBy = saved;
    return { run: saved, typed: typedInput(saved, step, staged) };
  } catch (error) {
    throw error instanceof RunEndedError ? endedConflict(visit) : error;
  } finally {
    await removeUnkeptFiles(core, received);
  }
}
const endedConflict = (visit: Visit) => conflict(visit.controller.t("wizards.notices.ended"));
