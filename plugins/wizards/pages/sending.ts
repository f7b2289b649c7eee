import type { FieldErrors, Params } from "framewright";
import type { Move, Run, StagedFile, StepSpec } from "../faces.ts";
import { stageFiles } from "../fields/staging.ts";
import { isMultipart } from "../fields/step_form.ts";
import { checkStep } from "../flow/checking.ts";
import { readStep } from "../flow/reading.ts";
import type { Entered } from "./entering.ts";

/** Sends a step on: the files that came with it are stored first, and removed where the step was not kept. */
export async function sendStep(entered: Entered, run: Run, key: string, params: Params): Promise<Move> {
  const { engine, visit, controller, mount } = entered;
  const step = mount.wizard.flow.step(key);
  const send = (given: Params) => engine.advance(visit, run, key, given, "next");
  if (!step || !isMultipart(step) || !(await isOpen(entered, run, key))) return send(params);
  const storage = controller.request.kernel.service("storage");
  const { request } = controller;
  const staging = await stageFiles(storage, step, params, run.staged[key], request.tOr.bind(request));
  const forget = async (files: readonly StagedFile[]) => {
    for (const { key: place } of files) await storage.delete(place).catch(() => undefined);
  };
  if (Object.keys(staging.errors).length > 0) {
    await forget(staging.stored);
    return refused(entered, run, step, params, staging.params, staging.errors);
  }
  try {
    const move = await send(staging.params);
    if (move.kind !== "done") await forget(staging.stored.filter((file) => !isKept(runOf(move), key, file)));
    return move;
  } catch (error) {
    const now = await engine.find(visit, request.routeParams.token).catch(() => run);
    if (now !== run) await forget(staging.stored.filter((file) => !isKept(now, key, file)));
    throw error;
  }
}

async function isOpen({ engine, visit }: Entered, run: Run, key: string): Promise<boolean> {
  if (run.state !== "in_progress") return false;
  const move = await engine.look(visit, run, key);
  return move.kind === "step" && move.step === key;
}

const runOf = (move: Move): Run | undefined => ("run" in move ? move.run : undefined);
/** Whether a file is among the answers that the run has now. */
const isKept = (run: Run | undefined, key: string, file: StagedFile): boolean =>
  JSON.stringify(run?.staged[key] ?? {}).includes(JSON.stringify(file.key));

/** What is wrong with the files, and with the rest: the person mends both at once. */
async function refused(
  { engine, visit, controller }: Entered,
  run: Run,
  step: StepSpec,
  params: Params,
  staged: Params,
  wrong: FieldErrors,
): Promise<Move> {
  const say = controller.request.tOr.bind(controller.request);
  const { values, errors } = readStep(step, staged, run.staged[step.key], say);
  const { currentUser, currentScopedEntity } = controller;
  const context = { currentUser, currentScopedEntity, anchor: visit.anchor };
  const broken = await checkStep(step, values, context, { say, persisted: run.persisted });
  const typed = params.toObject();
  await engine.autosave(visit, run, step.key, typed).catch(() => undefined); // the page shows it all the same
  return { kind: "invalid", run, step: step.key, errors: { ...broken, ...errors, ...wrong }, typed };
}
