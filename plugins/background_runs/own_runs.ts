import { html, localeOf, type Reply, type SafeHtml } from "framewright/host";
import { accountId, rowOwner } from "framewright/plugins/portals";
import type { ResourceController } from "framewright/plugins/resources";
import { chrome, type ListHead } from "framewright/plugins/resources/toolkit";
import { timeTag } from "framewright/plugins/views";
import { runsOf } from "./own_run.ts";
import { progressOf } from "./progress.ts";
import { isOpen, type RunRow } from "./run.ts";
import { runJson, runTitle, runUrl } from "./run_page.ts";

const MAX_LISTED = 50;
const COOKIE = "fw_runs";
const MAX_AGE = 86_400;

/** Notes in the browser that the person has a run: lists look for open ones only there. */
export const noteStarted = ({ request }: ResourceController): void => request.setCookie(COOKIE, "1", MAX_AGE);

/** `GET <list>/background_runs`: the person's runs at this list, the newest first. @throws HttpError 403 for guests */
export async function showRuns(controller: ResourceController): Promise<Reply> {
  const { store } = runsOf(controller);
  const owner = rowOwner(controller, controller.registration.constant);
  const runs = (await store.isInstalled()) ? await store.findOf(owner, MAX_LISTED) : [];
  if (controller.request.format === "json")
    return controller.json({ data: runs.map((run) => runJson(controller, run)) });
  const title = controller.t("resource.background.own");
  const rows = runs.map((run) => ({
    url: urlOf(controller, run),
    title: runTitle(controller, run),
    status: controller.t(`resource.background.states.${run.state}`),
    progress: isOpen(run) ? progressOf(controller, run) : undefined,
    time: timeTag(run.created_at, controller.request.timeZone, localeOf(controller.request.locale)),
  }));
  return controller.render("background_runs", {
    locals: { ...chrome(controller, { title, trail: [{ label: title }] }), runs: rows },
  });
}

const urlOf = (controller: ResourceController, run: RunRow): string => {
  const runs = runsOf(controller);
  const content = runs.sealer.content(run);
  return (content && runs.kindOf(run)?.urlOf?.(content, run)) ?? runUrl(controller, run);
};

/** Adds what the person's open runs at a list are doing above the list. */
export function addBanners(head: ListHead): Promise<void> | undefined {
  const { request, currentUser, about } = head.controller;
  const mayHaveRuns = request.cookie(COOKIE) !== undefined && accountId(currentUser) !== undefined;
  return mayHaveRuns && !about.parent ? addOpenRuns(head) : undefined;
}

async function addOpenRuns({ controller, besideTabs }: ListHead): Promise<void> {
  const { request, about } = controller;
  const runs = runsOf(controller);
  if (!runs.has(about.registration) || !(await runs.store.isInstalled())) return;
  const open = await runs.store.openOf(rowOwner(controller, controller.registration.constant));
  if (open.length === 0) request.setCookie(COOKIE, "", 0);
  for (const run of open) besideTabs.push(banner(controller, run));
}

function banner(controller: ResourceController, run: RunRow): SafeHtml {
  const state = controller.t(`resource.background.states.${run.state}`);
  return html`<p class="fw-notice" role="status"><a href="${urlOf(controller, run)}">${runTitle(controller, run)}</a>: ${state}</p>`;
}
