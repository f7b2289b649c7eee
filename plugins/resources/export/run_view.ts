import { html, localeOf, type SafeHtml } from "framewright/host";
import { sizeText } from "framewright/plugins/storage";
import { timeText } from "framewright/plugins/views";
import { processedOf, type RunRow } from "../background/run.ts";
import { details } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { numberText } from "../registration/resource_texts.ts";
import { exportedFile } from "./exported_file.ts";

/** What the page of a run shows of an export. */
export interface ExportView {
  readonly details: SafeHtml | undefined;
  readonly note: string | undefined;
  /** Where its file is downloaded, while it can be. */
  readonly url: string | undefined;
}

const fileUrl = (url: string): string => `${url}/file`;

export function exportView(controller: ResourceController, run: RunRow, runUrl: string): ExportView {
  const { locale, timeZone } = controller.request;
  const made = exportedFile(controller.resources.background, run);
  const item = (name: string, text: string) => ({
    ...{ name, label: controller.t(`resource.export.${name}`), value: html`${text}` },
  });
  if (!made) {
    const isGone = run.state === "done";
    return { details: undefined, note: isGone ? controller.t("resource.export.gone") : undefined, url: undefined };
  }
  const rows = item("rows", numberText(controller, processedOf(run)));
  const size = item("size", sizeText(made.file.size, localeOf(locale)));
  const until = new Date(made.until);
  const time = `${timeText(until, timeZone, localeOf(locale))} (${timeZone.offsetText(until)})`;
  return {
    details: details({ items: [rows, size] }),
    note: controller.t("resource.export.until", { time }),
    url: fileUrl(runUrl),
  };
}

/** The file of an export as JSON; null while there is none to download. */
export function exportJson({ resources }: ResourceController, run: RunRow, runUrl: string) {
  const made = exportedFile(resources.background, run);
  if (!made) return null;
  const { file, until } = made;
  return { url: fileUrl(runUrl), filename: file.filename, size: file.size, expires_at: until };
}
