import { html, localeOf } from "framewright/host";
import { sizeText } from "framewright/plugins/storage";
import { timeText } from "framewright/plugins/views";
import { isOpen, processedOf, type RunRow } from "../background/run.ts";
import type { DetailsView } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { numberText } from "../registration/resource_texts.ts";
import { exportedFile } from "./exported_file.ts";

/** What the page of a run shows of an export. */
export interface ExportView {
  readonly items: DetailsView["items"];
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
  const rows = item("rows", numberText(controller, processedOf(run)));
  if (!made) {
    const isGone = !isOpen(run) && run.state === "done";
    return { items: [rows], note: isGone ? controller.t("resource.export.gone") : undefined, url: undefined };
  }
  const until = new Date(made.until);
  const time = `${timeText(until, timeZone, localeOf(locale))} (${timeZone.offsetText(until)})`;
  return {
    items: [rows, item("size", sizeText(made.file.size, localeOf(locale)))],
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
