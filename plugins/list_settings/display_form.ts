import { csrfInput, html, type SafeHtml } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import { type ListRequest, ListUrls, listColumns, requestedList } from "framewright/plugins/resources/toolkit";
import { listSettingsOf, readSettings, SETTINGS } from "./settings_of_list.ts";
import type { StoredSettings } from "./store.ts";
import { widthRange } from "./widths.ts";

/** Module-level: found by a controller, and freed with it. */
const drawn = new WeakSet<object>();
export const isFormDrawn = (controller: object): boolean => drawn.has(controller);

/** The widths of the columns of a table, and what resets the list, in "Display"; its forms lead back to a location. */
export async function displayForm(controller: ResourceController, location: string): Promise<SafeHtml | undefined> {
  if (!listSettingsOf(controller)) return undefined;
  const stored = await readSettings(controller);
  drawn.add(controller);
  const t = (key: string) => controller.t(`list_settings.${key}`);
  const path = controller.listUrl + SETTINGS;
  const form = (kind: string, content: SafeHtml) =>
    html`<form class="${kind}" method="post" action="${path}" data-turbo-frame="_top">${csrfInput(controller.request, path)}<input type="hidden" name="return_to" value="${location}">${content}</form>`;
  const list = requestedList(controller, controller.listOf("Index"));
  const fields = list.shape === undefined && widthFields(controller, list, stored?.widths ?? {});
  const widths =
    fields &&
    html`<details class="fw-list-widths"><summary>${t("widths")}</summary>${form("fw-width-fields", html`${fields}<button class="btn">${t("save")}</button>`)}</details>`;
  const query = new ListUrls(controller, list).query();
  const differs = query !== "" && query !== stored?.query; // which the script of the list sends by itself
  const keep =
    differs &&
    html`<noscript>${form("fw-list-reset", html`<button class="btn btn-sm" name="query" value="${query}">${t("keep")}</button>`)}</noscript>`;
  const reset =
    stored && form("fw-list-reset", html`<button class="btn btn-sm" name="reset" value="1">${t("reset")}</button>`);
  return html`${widths}${keep}${reset}`;
}

function widthFields(
  controller: ResourceController,
  list: ListRequest,
  widths: StoredSettings["widths"],
): readonly SafeHtml[] {
  const { min, max, step } = widthRange;
  const automatic = controller.t("list_settings.automatic");
  return listColumns(controller, list).map(
    ({ name, label }) =>
      html`<label><span>${label}</span><input type="number" class="form-control" name="widths[${name}]" value="${widths[name] ?? ""}" min="${min}" max="${max}" step="${step}" placeholder="${automatic}" inputmode="numeric"></label>`,
  );
}
