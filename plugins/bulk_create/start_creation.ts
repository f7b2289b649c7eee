import { backgroundPlace, type ParamObject, type Reply } from "framewright/host";
import { FramewrightError } from "framewright/kernel";
import { answerStarted, NewRun, type RunContent, runsOf, runUrl } from "framewright/plugins/background_runs";
import type { ResourceController, ResourceRequest } from "framewright/plugins/resources";
import { CREATION } from "./run_content.ts";

/**
 * Leaves the records to a run in the background: 202 with its address. Undefined where there are no runs, or no job can
 * act for the account: a preference is followed as far as it can be. @throws HttpError 403
 */
export async function startCreation(
  request: ResourceRequest,
  items: readonly ParamObject[],
  continueOnError: boolean,
): Promise<Reply | undefined> {
  const controller = request as ResourceController;
  if (!controller.request.kernel.has("background_runs") || controller.currentUser === undefined) return undefined;
  const runs = runsOf(controller);
  if (!(await runs.store.isInstalled())) return undefined;
  const run = new NewRun(controller, CREATION);
  const content = contentOf(controller, items, continueOnError);
  if (!(await canEnter(run, content))) return undefined;
  const parts = { content, total: items.length };
  const stored = await runs.database.transaction((transaction) => run.store(parts, transaction));
  const reply = answerStarted(controller, stored);
  reply.headers["preference-applied"] = `respond-async${continueOnError ? ", continue-on-error" : ""}`;
  return reply;
}

async function canEnter(run: NewRun, content: RunContent): Promise<boolean> {
  try {
    return await run.canEnter(content);
  } catch (error) {
    if (error instanceof FramewrightError && error.code === "FW_BACKGROUND_ACCOUNT") return false; // nobody finds the account without its request
    throw error;
  }
}

function contentOf(
  controller: ResourceController,
  items: readonly ParamObject[],
  continueOnError: boolean,
): RunContent {
  const { url, host, mountPath, routeParams, route, timeZone, locale } = backgroundPlace(controller.request, "");
  const place = {
    verb: route.verb,
    pattern: route.pattern,
    url: `${url}.json`,
    host,
    mountPath,
    routeParams,
    timeZone,
    locale,
  };
  const prefer = controller.request.header("prefer");
  return { ...place, values: { items, continueOnError, prefer }, page: runUrl(controller) };
}
