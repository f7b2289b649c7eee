import { html, localeOf } from "framewright/host";
import { processedOf, type RunPage, type RunRow, runsOf, runUrl } from "framewright/plugins/background_runs";
import { details } from "framewright/plugins/fields";
import type { ResourceController } from "framewright/plugins/resources";
import { numberText } from "framewright/plugins/resources/toolkit";
import { sizeText } from "framewright/plugins/storage";
import { timeText } from "framewright/plugins/views";
import { exportedFile } from "./exported_file.ts";

const fileUrl = (url: string): string => `${url}/file`;

/** What the page of its run shows of an export. */
export function exportPage(controller: ResourceController, run: RunRow): RunPage {
  const { locale, timeZone } = controller.request;
  const made = exportedFile(runsOf(controller), run);
  const buttons = { title: controller.t("resource.export.title"), cancelLabel: controller.t("framework.cancel") };
  const item = (name: string, text: string) => ({
    name,
    label: controller.t(`resource.export.${name}`),
    value: html`${text}`,
  });
  if (!made) {
    const isGone = run.state === "done";
    return { ...buttons, note: isGone ? controller.t("resource.export.gone") : undefined };
  }
  const rows = item("rows", numberText(controller, processedOf(run)));
  const size = item("size", sizeText(made.file.size, localeOf(locale)));
  const until = new Date(made.until);
  const time = `${timeText(until, timeZone, localeOf(locale))} (${timeZone.offsetText(until)})`;
  return {
    ...buttons,
    details: details({ items: [rows, size] }),
    note: controller.t("resource.export.until", { time }),
    fileUrl: fileUrl(runUrl(controller, run)),
  };
}

/** The file of an export as JSON; null while there is none to download. */
export function exportJson(controller: ResourceController, run: RunRow): Record<string, unknown> {
  const found = exportedFile(runsOf(controller), run);
  if (!found) return { file: null };
  const { file, until } = found;
  const url = fileUrl(runUrl(controller, run));
  return { file: { url, filename: file.filename, size: file.size, expires_at: until } };
}
