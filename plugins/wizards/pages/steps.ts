import { conflict, HttpError, notFound, type ParamObject, Params, type Reply, unprocessable } from "framewright/host";
import { isRedrawn } from "framewright/plugins/fields";
import { fieldAt, targetOf } from "framewright/plugins/fields/rows";
import { answerSearch } from "framewright/plugins/resources";
import type { Direction, Run, StepResult } from "../contract/index.ts";
import { pressedInput } from "../fields/step_form.ts";
import { leavingPage } from "./customization.ts";
import { busyPage, completedPage } from "./end_pages.ts";
import { stepJson } from "./json.ts";
import { checkApplies, type PageContext } from "./open_request.ts";
import { postedRunId, runIdOf } from "./posted_run.ts";
import { pathOutsideWizard } from "./redirects.ts";
import { replyTo } from "./replies.ts";
import { stepPage } from "./step_page.ts";

const directions: readonly Direction[] = ["next", "back", "review", "cancel"];

/** The run at the path. Without one, and without a token, GET is redirected to the launch. @throws HttpError 404 */
async function findRun({ engine, visit, controller }: PageContext): Promise<Run | undefined> {
  const { token } = controller.request.routeParams;
  const run = await engine.find(visit, token);
  if (run) return run;
  if (token !== undefined || !["GET", "HEAD"].includes(controller.request.method)) throw notFound();
  if (controller.request.isSpeculative) controller.head(204);
  else controller.redirectTo(visit.base || "/");
  return undefined;
}
/** The run that a form belongs to. Undefined when it no longer exists and its URL belongs to another run. @throws HttpError 404 */
async function postedRun(context: PageContext, params: Params): Promise<Run | undefined> {
  const { engine, visit, controller } = context;
  const id = postedRunId(params);
  const run = id === undefined ? undefined : await engine.find(visit, controller.request.routeParams.token, id);
  if (run) return run;
  const current = (await findRun(context))!;
  return id === undefined ? current : undefined;
}
/** The form's run no longer exists: its input must not go into another one. */
async function redirectToCurrentRun(context: PageContext): Promise<Reply> {
  const run = (await findRun(context))!;
  const notices = [{ text: "wizards.notices.other_run" }];
  return replyTo(context, { kind: "step", run, step: run.cursor, notices });
}
const stepOf = ({ controller }: PageContext): string => controller.request.routeParams.step ?? "";

/** GET of a step: its form, or a redirect. */
export async function wizardStep(context: PageContext): Promise<Reply> {
  const { controller, engine, visit } = context;
  const run = await findRun(context);
  if (!run) return controller.reply!;
  checkApplies(context, run);
  const step = stepOf(context);
  const result = await engine.resolveStep(visit, run, step);
  if (result.kind === "busy") return busyPage(context, result.run);
  if (result.kind !== "step" || result.step !== step) return replyTo(context, result);
  const searched = controller.request.query.get("_search");
  if (typeof searched === "string") return searchStep(context, step, searched);
  if (controller.request.format === "json") return stepJson(context, result.run, step, result.notices);
  const { typed } = controller.request;
  const kept = typed && new Params(typed.take()).nested("wizard").toObject();
  return stepPage(context, result.run, step, { notices: result.notices, ...(kept ? { typed: kept } : {}) });
}

/** The choices of a field that are found by `q`. @throws HttpError 404 for a field that chooses no record */
function searchStep({ controller, mount }: PageContext, key: string, path: string): Promise<Reply> {
  const field = fieldAt(mount.wizard.flow.step(key)?.fields ?? [], path);
  const target = field && !field.options.choices && targetOf(field);
  if (!target) throw notFound();
  return answerSearch(controller, target);
}

/** POST of a step: next, back, review or cancel. @throws HttpError 404, 409, 422 */
export async function advanceWizard(context: PageContext): Promise<Reply> {
  const { controller, engine, visit } = context;
  const direction = directionOf(context);
  const params = controller.request.body.nested("wizard");
  const run = await postedRun(context, params);
  if (!run) return redirectToCurrentRun(context);
  if (direction !== "cancel") checkApplies(context, run);
  const key = stepOf(context);
  const rearranged = await rearrangedPage(context, run, key, params);
  if (rearranged) return rearranged;
  const result = await engine
    .advance(visit, run, key, params, direction)
    .catch((error: unknown) => conflictPage(context, run, params.toObject(), error));
  return "kind" in result ? resultPage(context, result) : result;
}

/** DELETE of a run in the list: cancels it. @throws HttpError 404 where it is not the person's, or not of this wizard */
export async function cancelWizardRun(context: PageContext): Promise<Reply> {
  const { controller, engine, visit } = context;
  const id = runIdOf(controller.request.routeParams.run);
  const run = id === undefined ? undefined : await engine.findOwn(visit, id);
  if (!run) throw notFound();
  const result = await engine.advance(visit, run, run.cursor, new Params({}), "cancel");
  const returnTo = visit.returnTo ?? run.returnTo; // the page that has the button, which may be any
  return resultPage(context, result.kind === "cancelled" ? { ...result, returnTo } : result);
}

/** The form again for what was refused, else a redirect. @throws HttpError 422 for JSON */
async function resultPage(context: PageContext, result: StepResult): Promise<Reply> {
  const { controller } = context;
  if (result.kind !== "invalid") return replyTo(context, result);
  if (controller.request.format === "json") throw unprocessable(controller.t("wizards.invalid"), result.errors);
  const { errors, typed } = result;
  return stepPage(context, result.run, result.step, { status: 422, errors, ...(typed ? { typed } : {}) });
}

/** The form again after a button of its rows, or one that brings it up to date; undefined for other buttons. */
async function rearrangedPage(context: PageContext, run: Run, key: string, params: Params): Promise<Reply | undefined> {
  const { controller, engine, mount, visit } = context;
  const step = mount.wizard.flow.step(key);
  const { body } = controller.request;
  const isRefreshed = step && isRedrawn(body) && controller.request.format === "html";
  const typed = isRefreshed ? params.toObject() : step && pressedInput(step, params, body);
  if (!typed) return undefined;
  const result = await engine.resolveStep(visit, run, key);
  if (result.kind !== "step" || result.step !== key) return replyTo(context, result);
  const saved = await engine.autosave(visit, run, key, typed).catch(() => undefined); // the page shows the input all the same
  return stepPage(context, saved?.run ?? result.run, key, { status: 422, typed: saved?.typed ?? typed });
}

/** Other requests changed the run at each attempt: the form is shown with the input (409). */
async function conflictPage(context: PageContext, run: Run, typed: ParamObject, error: unknown): Promise<Reply> {
  const { controller } = context;
  const isRace = error instanceof HttpError && error.status === 409;
  if (!isRace || controller.request.format === "json") throw error;
  const errors = { base: [controller.t("wizards.raced")] };
  const { engine, visit } = context;
  const current = await engine.find(visit, controller.request.routeParams.token, run.id); // its draft has the input
  return stepPage(context, current ?? run, stepOf(context), { status: 409, errors, typed });
}

/** @throws HttpError 422 for any other value */
function directionOf({ controller, mount }: PageContext): Direction {
  const given = controller.request.body.get("_direction") ?? "next";
  const direction = directions.find((one) => one === given);
  const isOffered = direction !== "review" || mount.wizard.flow.steps.at(-1)?.review;
  if (direction && isOffered) return direction;
  const message = controller.t("wizards.unknown_direction");
  throw unprocessable(message, { _direction: [message] });
}

/** PUT of a step: saves a draft. @throws HttpError 404, 409, 413 */
export async function saveWizard(context: PageContext): Promise<Reply> {
  const { controller, engine, visit } = context;
  const params = controller.request.body.nested("wizard");
  const run = await postedRun(context, params);
  if (!run) throw conflict(controller.t("wizards.notices.ended"));
  checkApplies(context, run);
  await engine.autosave(visit, run, stepOf(context), params.toObject());
  return controller.head(204);
}

/** The page of a completed run; in a frame, the page that leaves it. */

export async function wizardCompleted(context: PageContext): Promise<Reply> {
  const { controller, engine, visit } = context;
  const { request } = controller;
  const to = pathOutsideWizard(controller, visit.base, request.query.get("to"));
  if (request.frame !== undefined) return leavingPage(request.frame, to ?? request.path);
  if (to !== undefined) return controller.redirectTo(to);
  const run = await findRun(context);
  if (!run) return controller.reply!;
  if (run.state === "completed") return completedPage(context, run);
  const result = await engine.resolveStep(visit, run, run.cursor);
  return result.kind === "busy" ? busyPage(context, result.run) : replyTo(context, result);
}
