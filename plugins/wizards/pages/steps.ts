import { conflict, HttpError, notFound, type ParamObject, Params, type Reply, unprocessable } from "framewright/host";
import type { Run } from "../contract/index.ts";
import { applyRepeat } from "../fields/repeated_entries.ts";
import { leavingPage } from "./customization.ts";
import { busyPage, completedPage } from "./end_pages.ts";
import { stepJson } from "./json.ts";
import type { Entered } from "./open_request.ts";
import { askedRun } from "./posted_run.ts";
import { outside } from "./redirects.ts";
import { answerMove } from "./replies.ts";
import { stepPage } from "./step_page.ts";

const directions = ["next", "back", "cancel"] as const;
type Direction = (typeof directions)[number];

/** The run that the path names. Without one and without a token there is only the launch to go to. @throws HttpError 404 */
async function findRun({ engine, visit, controller }: Entered): Promise<Run | undefined> {
  const { token } = controller.request.routeParams;
  const run = await engine.find(visit, token);
  if (run) return run;
  if (token !== undefined || !["GET", "HEAD"].includes(controller.request.method)) throw notFound();
  if (controller.request.isSpeculative) controller.head(204);
  else controller.redirectTo(visit.base || "/");
  return undefined;
}
/** The run that a form was of. Undefined when that is gone, and another one stands at its address. @throws HttpError 404 */
async function sentRun(entered: Entered, params: Params): Promise<Run | undefined> {
  const { engine, visit, controller } = entered;
  const id = askedRun(params);
  const run = id === undefined ? undefined : await engine.find(visit, controller.request.routeParams.token, id);
  if (run) return run;
  const now = (await findRun(entered))!;
  return id === undefined ? now : undefined;
}
/** The form's run is gone: nothing of it goes into another one. */
async function elsewhere(entered: Entered): Promise<Reply> {
  const run = (await findRun(entered))!;
  const notices = [{ text: "wizards.notices.other_run" }];
  return answerMove(entered, { kind: "step", run, step: run.cursor, notices });
}
const stepOf = ({ controller }: Entered): string => controller.request.routeParams.step ?? "";

/** GET of a step: its form, or where to go instead. */
export async function wizardStep(entered: Entered): Promise<Reply> {
  const { controller, engine, visit } = entered;
  const run = await findRun(entered);
  if (!run) return controller.reply!;
  const step = stepOf(entered);
  const move = await engine.look(visit, run, step);
  if (move.kind === "busy") return busyPage(entered, move.run);
  if (move.kind !== "step" || move.step !== step) return answerMove(entered, move);
  if (controller.request.format === "json") return stepJson(entered, move.run, step, move.notices);
  const { typed } = controller.request;
  const kept = typed && new Params(typed.take()).nested("wizard").toObject();
  return stepPage(entered, move.run, step, { notices: move.notices, ...(kept ? { typed: kept } : {}) });
}

/** POST of a step: on, back, or out of it. @throws HttpError 404, 409, 422 */
export async function advanceWizard(entered: Entered): Promise<Reply> {
  const { controller, engine, visit } = entered;
  const direction = directionOf(entered);
  const params = controller.request.body.nested("wizard");
  const run = await sentRun(entered, params);
  if (!run) return elsewhere(entered);
  const key = stepOf(entered);
  const rearranged = await rearrangedPage(entered, run, key, params);
  if (rearranged) return rearranged;
  const move = await engine
    .advance(visit, run, key, params, direction)
    .catch((error: unknown) => raced(entered, run, params.toObject(), error));
  if (!("kind" in move)) return move;
  if (move.kind !== "invalid") return answerMove(entered, move);
  if (controller.request.format === "json") throw unprocessable(controller.t("wizards.invalid"), move.errors);
  const { errors, typed } = move;
  return stepPage(entered, move.run, move.step, { status: 422, errors, ...(typed ? { typed } : {}) });
}

/** A button that adds an entry, or takes one out: the form again, with all that was typed. */
async function rearrangedPage(entered: Entered, run: Run, key: string, params: Params): Promise<Reply | undefined> {
  const { controller, engine, mount, visit } = entered;
  const step = mount.wizard.flow.step(key);
  const typed = step && applyRepeat(step, params.toObject(), controller.request.body);
  if (!typed) return undefined;
  const move = await engine.look(visit, run, key);
  if (move.kind !== "step" || move.step !== key) return answerMove(entered, move);
  const saved = await engine.autosave(visit, run, key, typed).catch(() => undefined); // the page shows it all the same
  return stepPage(entered, saved?.run ?? move.run, key, { status: 422, typed: saved?.typed ?? typed });
}

/** Another tab was faster, again and again: the form is shown with what was typed (409). */
async function raced(entered: Entered, run: Run, typed: ParamObject, error: unknown): Promise<Reply> {
  const { controller } = entered;
  const isRace = error instanceof HttpError && error.status === 409;
  if (!isRace || controller.request.format === "json") throw error;
  const errors = { base: [controller.t("wizards.raced")] };
  const { engine, visit } = entered;
  const now = await engine.find(visit, controller.request.routeParams.token, run.id); // its draft has what was sent
  return stepPage(entered, now ?? run, stepOf(entered), { status: 409, errors, typed });
}

/** @throws HttpError 422 for a word that is none of the three */
function directionOf({ controller }: Entered): Direction {
  const given = controller.request.body.get("_direction") ?? "next";
  const direction = directions.find((one) => one === given);
  if (direction) return direction;
  const message = controller.t("wizards.unknown_direction");
  throw unprocessable(message, { _direction: [message] });
}

/** PUT of a step: keeps what is typed, and says nothing. @throws HttpError 404, 409, 413 */
export async function saveWizard(entered: Entered): Promise<Reply> {
  const { controller, engine, visit } = entered;
  const params = controller.request.body.nested("wizard");
  const run = await sentRun(entered, params);
  if (!run) throw conflict(controller.t("wizards.notices.ended"));
  await engine.autosave(visit, run, stepOf(entered), params.toObject());
  return controller.head(204);
}

/** The page of a run that is done; in a frame the way out of it. */
export async function wizardCompleted(entered: Entered): Promise<Reply> {
  const { controller, engine, visit } = entered;
  const { request } = controller;
  const to = outside(controller, visit.base, request.query.get("to"));
  if (request.frame !== undefined) return leavingPage(request.frame, to ?? request.path);
  if (to !== undefined) return controller.redirectTo(to);
  const run = await findRun(entered);
  if (!run) return controller.reply!;
  if (run.state === "completed") return completedPage(entered, run);
  const move = await engine.look(visit, run, run.cursor);
  return move.kind === "busy" ? busyPage(entered, move.run) : answerMove(entered, move);
}
