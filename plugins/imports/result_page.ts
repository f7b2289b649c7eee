import { csrfInput, html, type Reply, type SafeHtml } from "framewright/host";
import { isOpen, progressOf, type RunProblems, type RunRow, runsOf } from "framewright/plugins/background_runs";
import { details } from "framewright/plugins/fields";
import type { ResourceController } from "framewright/plugins/resources";
import { chrome, numberText } from "framewright/plugins/resources/toolkit";
import { countsOf, failedTable } from "./check_page.ts";
import { type FailedRow, type ImportContent, noCounts } from "./content.ts";
import { importsOf } from "./imports_of.ts";
import { stepper } from "./steps.ts";
import type { ImportRow } from "./store.ts";
import { mayUndo } from "./undo.ts";
import { undoView } from "./undo_view.ts";
import { titleOf } from "./upload_page.ts";
import { importUrl } from "./urls.ts";

/** The part of the page that is loaded again while rows are written. */
const FRAME = "import-run";
const MAX_SHOWN = 50;

/** How far an import is, and what became of its rows. */
export async function renderResult(
  controller: ResourceController,
  stored: ImportRow,
  content: ImportContent,
  run: RunRow,
): Promise<Reply> {
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const background = runsOf(controller);
  const { counts = noCounts, problems, reasons } = background.sealer.problems(run);
  const failed = run.failed > 0 ? await firstFailures(controller, stored) : [];
  const trail = [{ label: t("resource.import.title"), url: importUrl(controller) }, { label: content.file.filename }];
  const url = importUrl(controller, stored.id);
  const undoing = content.undo === undefined ? undefined : await background.store.find(content.undo);
  const isBusy = isOpen(run) || (undoing !== undefined && isOpen(undoing));
  const isUndone = !isOpen(run) && content.mapping?.atOnce === true && run.failed > 0;
  return controller.render("import_run", {
    locals: {
      ...chrome(controller, { title: titleOf(controller), trail }),
      subtitle: t("resource.import.subtitle", {
        file: content.file.filename,
        count: run.total,
        total: numberText(controller, run.total),
      }),
      in_frame: controller.request.frame === FRAME,
      steps: stepper(controller, "import"),
      status: t(isUndone ? "resource.import.undone" : `resource.import.states.${run.state}`),
      is_open: isOpen(run),
      is_busy: isBusy,
      undo: undoing && undoView(controller, undoing),
      undo_url: (await mayUndo(controller, { row: stored, content, run })) && importUrl(controller, stored.id, "undo"),
      url,
      progress: progressOf(controller, run),
      details: details({ items: countsOf(controller, counts, run.failed) }),
      notes: [...problems.map(({ text }) => text), ...reasonsOf(controller, reasons)],
      problems: failed.length > 0 && failedTable(content.headers, failed, controller),
      more: run.failed > failed.length && t("resource.import.more_failed", { count: run.failed - failed.length }),
      file_url: run.failed > 0 && importUrl(controller, stored.id, "failures.csv"),
      list_url: controller.listUrl,
      again_url: importUrl(controller),
      cancel: isOpen(run) && cancelForm(controller, stored.id),
    },
  });
}

/** Why rows had no turn: the account or what it may do has changed. */
const reasonsOf = (controller: ResourceController, reasons: RunProblems["reasons"]): string[] =>
  Object.entries(reasons).flatMap(([kind, count]) =>
    count > 0 ? `${controller.t(`resource.background.reasons.${kind}`)}: ${numberText(controller, count)}` : [],
  );

async function firstFailures(controller: ResourceController, stored: ImportRow): Promise<FailedRow[]> {
  const imports = importsOf(controller);
  const rows = await imports.store.failures(stored.id, 0, MAX_SHOWN);
  return rows.flatMap(({ content }) => imports.sealer.failedRow(content, stored) ?? []);
}

function cancelForm(controller: ResourceController, id: number): SafeHtml {
  const url = importUrl(controller, id, "cancel");
  const csrf = csrfInput(controller.request, url, "post");
  return html`<form method="post" action="${url}" data-turbo-frame="_top">${csrf}<button class="btn btn-outline-danger">${controller.t("resource.background.cancel")}</button></form>`;
}
