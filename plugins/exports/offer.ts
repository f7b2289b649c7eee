import { csrfInput, type Reply } from "framewright/host";
import { NewRun } from "framewright/plugins/background_runs";
import { confirmation } from "framewright/plugins/fields";
import { accountId } from "framewright/plugins/portals";
import { inSentence, type ResourceController } from "framewright/plugins/resources";
import { chrome, type ListRequest, ListUrls, listLabel, numberText } from "framewright/plugins/resources/toolkit";
import { hasMoreRows } from "./count_rows.ts";
import { exportsOf, isLeftToJobs } from "./exports_of.ts";
import type { ExportFormat } from "./formats.ts";
import { permitsExport } from "./permits_export.ts";
import { exportAction } from "./run_action.ts";
import { canEnter, contentOf } from "./start_export.ts";

/** The page that offers a person to leave very many rows to a job; undefined where they are sent at once. */
export async function answerOffer(
  controller: ResourceController,
  format: ExportFormat,
  list: ListRequest,
): Promise<Reply | undefined> {
  const { backgroundRows, keepHours } = exportsOf(controller).settings;
  const isOffered =
    isForPerson(controller) &&
    (await controller.resources.background?.isReady()) === true &&
    (await hasMoreRows(controller, list, backgroundRows)) &&
    (await canEnter(new NewRun(controller, exportAction(format)), contentOf(controller, format)));
  if (!isOffered) return undefined;
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const urls = new ListUrls(controller, list);
  const title = t("resource.export.page_title", {
    name: inSentence(controller, listLabel(controller, controller.about)),
  });
  const action = urls.exported(format);
  const view = confirmation({
    title,
    action,
    method: "post",
    isDanger: false,
    cancelUrl: urls.same(),
    t,
    text: t("resource.export.offer", { rows: numberText(controller, backgroundRows), count: keepHours }),
    csrf: csrfInput(controller.request, action, "post"),
    submitLabel: t("resource.export.prepare"),
  });
  return controller.render("destroy_confirm", { locals: { ...chrome(controller, { title }), confirmation: view } });
}

/** Whether somebody waits at a browser; a program gets the rows, and may leave them to a job by itself. */
function isForPerson(controller: ResourceController): boolean {
  const { request, registration, currentUser } = controller;
  const wantsPage = request.header("accept")?.includes("text/html") === true;
  const isAsked = wantsPage && request.method === "GET" && !request.isBackground;
  return isAsked && isLeftToJobs(controller) && permitsExport(registration) && accountId(currentUser) !== undefined;
}
