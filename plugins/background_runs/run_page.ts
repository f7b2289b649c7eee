import { csrfInput, html, humanize, type Reply, type SafeHtml } from "framewright/host";
import { details } from "framewright/plugins/fields";
import type { BackgroundRunInfo, ResourceController } from "framewright/plugins/resources";
import { actionLabel, chrome } from "framewright/plugins/resources/toolkit";
import { findOwnRun, runsOf } from "./own_run.ts";
import { progressOf } from "./progress.ts";
import { isOpen, type RunRow } from "./run.ts";

/** The part of the page that is loaded again while the run is open. */
const FRAME = "background-run";

/** The path of a run's page, or of all of them. */
export function runUrl(controller: ResourceController, run?: Pick<RunRow, "id">): string {
  const base = `${controller.resourceUrlFor(controller.registration.model.class)}/background_runs`;
  return run ? `${base}/${run.id}` : base;
}

export async function showRun(controller: ResourceController): Promise<Reply> {
  const run = await findOwnRun(controller);
  return controller.request.format === "json" ? answerRun(controller, run) : renderRun(controller, run);
}

/** Cancels the run; what was done to records stays. */
export async function cancelRun(controller: ResourceController): Promise<Reply> {
  const ended = await runsOf(controller).cancel(await findOwnRun(controller));
  if (controller.request.format === "json") return answerRun(controller, ended);
  return controller.redirectTo(runUrl(controller, ended));
}

/** The answer that has a run as JSON. */
export const answerRun = (controller: ResourceController, run: RunRow, status = 200): Reply =>
  controller.json({ data: runJson(controller, run) }, { status });

/** A run as JSON. */
export function runJson(controller: ResourceController, run: RunRow): Record<string, unknown> {
  const { id, state, action, total, done, refused, failed, reasons, problems, createdAt, finishedAt } =
    runsOf(controller).sealer.info(run);
  const counts = { total, done, refused, failed, reasons, problems };
  const times = { created_at: createdAt, finished_at: finishedAt ?? null };
  const more = runsOf(controller).kindOf(run)?.json?.(controller, run);
  return { id, action, state, ...counts, ...times, ...more };
}

/** What a run is called. */
export function runTitle(controller: ResourceController, run: RunRow): string {
  const page = runsOf(controller).kindOf(run)?.page?.(controller, run);
  if (page) return page.title;
  const action = controller.registration.definition.actions.get(run.action);
  return action ? actionLabel(controller, action) : humanize(run.action);
}

function renderRun(controller: ResourceController, run: RunRow): Reply {
  const info = runsOf(controller).sealer.info(run);
  const page = runsOf(controller).kindOf(run)?.page?.(controller, run);
  const title = runTitle(controller, run);
  return controller.render("background_run", {
    locals: {
      ...chrome(controller, { title, trail: [{ label: title }] }),
      in_frame: controller.request.frame === FRAME,
      status: controller.t(`resource.background.states.${run.state}`),
      is_open: isOpen(run),
      url: runUrl(controller, run),
      progress: progressOf(controller, run),
      details: page ? page.details : details({ items: countsOf(controller, info) }),
      note: page?.note,
      file_url: page?.fileUrl,
      problems: info.problems.map(({ record, text }) => (record === null ? text : `${record}: ${text}`)),
      cancel: isOpen(run) ? cancelForm(controller, run, page?.cancelLabel) : undefined,
    },
  });
}

function countsOf(controller: ResourceController, info: BackgroundRunInfo) {
  const item = (name: string, count: number) => ({
    name,
    label: controller.t(`resource.background.${name}`),
    value: html`${count}`,
  });
  const reasons = Object.entries(info.reasons).filter(([, count]) => count > 0);
  return [
    ...[item("done", info.done), item("refused", info.refused)],
    ...reasons.map(([kind, count]) => item(`reasons.${kind}`, count)),
    item("failed", info.failed),
  ];
}

function cancelForm(
  controller: ResourceController,
  run: RunRow,
  label = controller.t("resource.background.cancel"),
): SafeHtml {
  const url = `${runUrl(controller, run)}/cancel`;
  const csrf = csrfInput(controller.request, url, "post");
  return html`<form method="post" action="${url}" data-turbo-frame="_top">${csrf}<button class="btn btn-outline-danger">${label}</button></form>`;
}
