import { html, type SafeHtml } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import type { ListUrls } from "framewright/plugins/resources/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import { type ExportFormat, exportFormats } from "./formats.ts";

/** The menu by which a list is downloaded, as it is shown; a link that Turbo leaves to the browser. */
export function exportMenu(controller: ResourceController, urls: ListUrls): SafeHtml {
  const link = (format: ExportFormat) =>
    html`<a class="fw-dropdown-item" href="${urls.exported(format)}" data-turbo="false">${controller.t(`resource.export.${format}`)}</a>`;
  const title = controller.t("resource.export.title");
  const links = exportFormats.map(link);
  return html`<details class="fw-dropdown"><summary class="btn">${iconOrNothing("download")}${title}</summary><div class="fw-dropdown-panel">${links}</div></details>`;
}
