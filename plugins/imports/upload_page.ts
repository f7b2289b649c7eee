import { csrfInput, html, localeOf, type Reply, type SafeHtml } from "framewright/host";
import { type FieldView, form } from "framewright/plugins/fields";
import { inSentence, labelsFor, type ResourceController } from "framewright/plugins/resources";
import { chrome, numberText } from "framewright/plugins/resources/toolkit";
import { timeText } from "framewright/plugins/views";
import type { ImportContent } from "./content.ts";
import { fileLimits } from "./limits.ts";
import { stepper } from "./steps.ts";
import type { ImportRow } from "./store.ts";
import { importUrl } from "./urls.ts";

/** An import that was begun before, to go on with. */
export interface BegunImport {
  readonly row: ImportRow;
  readonly content: ImportContent;
}

/** Asks for the file. */
export function renderUpload(
  controller: ResourceController,
  begun: readonly BegunImport[],
  errors: readonly string[] = [],
): Reply {
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const action = importUrl(controller);
  const { bytes, rows, columns } = fileLimits;
  const limits = { megabytes: bytes / 1_000_000, rows: numberText(controller, rows), columns };
  const field: FieldView = {
    name: "file",
    as: "file",
    id: "import_file",
    inputName: "file",
    value: undefined,
    label: t("resource.import.file_label"),
    hint: t("resource.import.file_hint", limits),
    required: true,
    errors,
    attributes: {
      accept:
        ".csv,.txt,.tsv,.xlsx,.xlsm,.ods,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    },
  };
  const view = form({
    action,
    method: "post",
    csrf: csrfInput(controller.request, action, "post"),
    fields: [field],
    errors: [],
    submitLabel: t("resource.import.upload"),
    cancelUrl: controller.listUrl,
    multipart: true,
    t,
  });
  const title = titleOf(controller);
  return controller.render("import", {
    status: errors.length > 0 ? 422 : 200,
    locals: {
      ...chrome(controller, { title, trail: [{ label: t("resource.import.title") }] }),
      steps: stepper(controller, "file"),
      form: view,
      begun: begun.length > 0 && begunList(controller, begun),
    },
  });
}

export function titleOf(controller: ResourceController): string {
  const name = inSentence(controller, labelsFor(controller, controller.registration).many);
  return controller.t("resource.import.page_title", { name });
}

function begunList(controller: ResourceController, begun: readonly BegunImport[]): SafeHtml {
  const { timeZone, locale } = controller.request;
  const items = begun.map(({ row, content }) => {
    const vars = {
      file: content.file.filename,
      count: content.total,
      time: timeText(row.created_at, timeZone, localeOf(locale)),
    };
    return html`<li><a href="${importUrl(controller, row.id)}">${controller.t("resource.import.begun", vars)}</a></li>`;
  });
  return html`<h2>${controller.t("resource.import.begun_title")}</h2><ul class="fw-list">${items}</ul>`;
}
