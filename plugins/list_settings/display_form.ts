import { csrfInput, html, type SafeHtml } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import { listColumns, requestedList } from "framewright/plugins/resources/toolkit";
import { listSettingsOf, readSettings, SETTINGS } from "./settings_of_list.ts";
import { widthRange } from "./widths.ts";

/** Module-level: found by a controller, and freed with it. */
const drawn = new WeakSet<object>();
export const isFormDrawn = (controller: object): boolean => drawn.has(controller);

/** The widths of the columns that are shown, and what resets the list, in "Display"; it leads back to a location. */
export async function displayForm(controller: ResourceController, location: string): Promise<SafeHtml | undefined> {
  if (!listSettingsOf(controller)) return undefined;
  const stored = await readSettings(controller);
  drawn.add(controller);
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`list_settings.${key}`, vars);
  const { min, max, step } = widthRange;
  const list = requestedList(controller, controller.listOf("Index"));
  const fields = listColumns(controller, list).map(
    ({ name, label }) =>
      html`<label><span>${label}</span><input type="number" class="form-control" name="widths[${name}]" value="${stored?.widths[name] ?? ""}" min="${min}" max="${max}" step="${step}" placeholder="${t("automatic")}" inputmode="numeric"></label>`,
  );
  const path = controller.listUrl + SETTINGS;
  const form = (content: SafeHtml, kind: string) =>
    html`<form class="${kind}" method="post" action="${path}" data-turbo-frame="_top">${csrfInput(controller.request, path)}<input type="hidden" name="return_to" value="${location}">${content}</form>`;
  const widths = html`<details class="fw-list-widths"><summary>${t("widths")}</summary>${form(html`${fields}<button class="btn">${t("save")}</button>`, "fw-width-fields")}</details>`;
  const reset =
    stored && form(html`<button class="btn btn-sm" name="reset" value="1">${t("reset")}</button>`, "fw-list-reset");
  return html`${widths}${reset}`;
}
