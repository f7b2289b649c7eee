import {
  type BaseController,
  conflict,
  type FieldErrors,
  notFound,
  type ParamObject,
  type Params,
  payloadTooLarge,
} from "framewright";
import type { Move, Run, StepSpec, Visit } from "../faces.ts";
import { type Staging, stageFiles } from "../fields/staging.ts";
import { checkStep } from "../flow/checking.ts";
import { readStep, type Say } from "../flow/reading.ts";
import { again } from "./again.ts";
import { complete } from "./completing.ts";
import type { Core } from "./core.ts";
import { Ended, keepDraft, tryDraft } from "./drafting.ts";
import { DRAFT_LIMIT, draftOf, sizeOf } from "./drafts.ts";
import { contextOf } from "./identity.ts";
import type { Content, OpenRun } from "./run.ts";
import { done, elsewhere, gone, neighbour, stepNamed, toCursor } from "./standing.ts";
import { Submission, type Submitted } from "./submitting.ts";
import { awaitEnd } from "./waiting.ts";

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
  let isKept = false;
  try {
    const errors = await problems(visit, run, step, sent);
    if (Object.keys(errors).length > 0) return await invalid(core, visit, run, step, params, errors);
    const submission = new Submission(core, visit, step, (before) => readStep(step, sent.params, before).values);
    const submitted = await again(visit, () => submission.send(run)).catch(async (error: unknown) => {
      await tryDraft(core, visit, run, step, params.toObject());
      throw error;
    });
    isKept = "row" in submitted;
    return await answer(core, visit, run, submission, submitted, params);
  } finally {
    if (!isKept) await core.removeFiles(sent.stored.map(({ key }) => key));
  }
}

async function answer(
  core: Core,
  visit: Visit,
  run: OpenRun,
  { step }: Submission,
  submitted: Submitted,
  params: Params,
): Promise<Move> {
  switch (submitted.kind) {
    case "refused":
      return invalid(core, visit, run, step, params, submitted.errors);
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

type Sent = Pick<Staging, "params" | "stored" | "errors">;
/** What came, files stored. */
async function receive(core: Core, { controller }: Visit, run: Run, step: StepSpec, params: Params): Promise<Sent> {
  const { storage } = core.parts;
  const before = run.staged[step.key];
  return storage ? stageFiles(storage, step, params, before, sayOf(controller)) : { params, stored: [], errors: {} };
}
async function problems(visit: Visit, run: Run, step: StepSpec, sent: Sent): Promise<FieldErrors> {
  const say = sayOf(visit.controller);
  const { values, errors } = readStep(step, sent.params, run.staged[step.key], say);
  const answers = { flow: visit.mount.wizard.flow, staged: run.staged };
  const found = await checkStep(step, values, contextOf(visit), { say, answers, persisted: run.persisted });
  return { ...found, ...errors, ...sent.errors }; // what can't be read is said first
}
const sayOf = ({ request }: BaseController): Say => request.tOr.bind(request);

/** The form again: what was typed is kept as a draft as well. */
async function invalid(
  core: Core,
  visit: Visit,
  run: OpenRun,
  step: StepSpec,
  params: Params,
  errors: FieldErrors,
): Promise<Move> {
  const typed = params.toObject();
  const kept = await tryDraft(core, visit, run, step, typed);
  return { kind: "invalid", run: kept ?? run, step: step.key, errors, typed };
}

/** One step back: what was typed is kept as it stands. */
export async function back(core: Core, visit: Visit, run: OpenRun, step: StepSpec, params: Params): Promise<Move> {
  const { flow } = visit.mount.wizard;
  const move = (content: Content) => {
    content.cursor = neighbour(flow, content, step.key, contextOf(visit), -1) ?? step.key;
  };
  return again(visit, async () => {
    const moved = await keepDraft(core, visit, run, step, params.toObject(), move);
    return toCursor(moved, ...run.notices);
  }).catch((error: unknown) => {
    if (error instanceof Ended) return awaitEnd(core, visit, run);
    throw error;
  });
}

/** PUT: a draft, and nothing else. @throws HttpError 404, 409, 413 */
export async function autosave(core: Core, visit: Visit, run: OpenRun, key: string, typed: ParamObject): Promise<void> {
  const { flow } = visit.mount.wizard;
  const step = stepNamed(flow, key);
  if (!step) throw notFound();
  if (run.state !== "in_progress" || elsewhere(flow, run, key, contextOf(visit))) throw moved(visit);
  if (sizeOf(draftOf(step.fields, typed)) > DRAFT_LIMIT) throw payloadTooLarge(DRAFT_LIMIT);
  await again(visit, () => keepDraft(core, visit, run, step, typed)).catch((error: unknown) => {
    if (error instanceof Ended) throw moved(visit);
    throw error;
  });
}
const moved = (visit: Visit) => conflict(visit.controller.t("wizards.notices.ended"));
