import { localeOf, type SafeHtml } from "framewright/host";
import { choiceOf } from "framewright/plugins/fields";
import { type ChipView, choiceLabel, filterChips } from "framewright/plugins/fields/toolkit";
import { choicesFor } from "../operations/choices.ts";
import type { FilterValue, ListRequest } from "../registration/list_params.ts";
import { fieldLabel, valueLabels } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { isDecimal } from "./filter_panel.ts";
import { panelFilters } from "./list_filters.ts";
import type { ListUrls } from "./list_urls.ts";

/** How many values a chip names: each record is looked up. */
const MAX_NAMED = 5;

/** The filters of the panel that are on; undefined where there are none. */
export async function chipsOf(
  controller: ResourceRequest,
  list: ListRequest,
  urls: ListUrls,
): Promise<SafeHtml | undefined> {
  if (list.filters.size === 0) return undefined;
  const chips: ChipView[] = [];
  for (const [name] of panelFilters(controller)) {
    const value = list.filters.get(name);
    if (value === undefined) continue;
    const { registration } = controller;
    const label = fieldLabel(controller, registration, registration.attribute(name), "listed");
    const text = await textOf(controller, name, value);
    chips.push({ label, text, url: urls.without(name) });
  }
  return chips.length > 0 ? filterChips(chips, (key, vars) => controller.t(key, vars)) : undefined;
}

async function textOf(controller: ResourceRequest, name: string, value: FilterValue): Promise<string> {
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`filters.${key}`, vars);
  if (typeof value === "string") return wordsOf(controller, name, value);
  const { in: named, not, contains, empty, ...ends } = value as Record<string, string>;
  const [from, to] = [ends.from, ends.to].map((end) => end && endText(controller, name, end));
  const said: string[] = [];
  const alternative = (value.any as readonly string[] | undefined) ?? [];
  for (const one of alternative.slice(0, MAX_NAMED)) said.push(await wordsOf(controller, name, one));
  if (alternative.length > MAX_NAMED) said.push(t("more", { count: alternative.length - MAX_NAMED }));
  if (empty === "1") said.push(t("is_empty"));
  const alternatives = said.join(t("or"));
  const parts = alternatives === "" ? [] : [alternatives];
  if (empty === "0") parts.push(t("is_filled"));
  if (not !== undefined) parts.push(t("is_not", { value: await wordsOf(controller, name, not) }));
  if (contains !== undefined) parts.push(t("contains", { value: contains }));
  if (named !== undefined) parts.push(t(`days.${named}`));
  if (from !== undefined && to !== undefined) parts.push(t("between", { from, to }));
  else if (from !== undefined) parts.push(t("at_least", { from }));
  else if (to !== undefined) parts.push(t("at_most", { to }));
  return parts.join(", ");
}

/** The end of a range as people write it: a day in words, where their language is not English, and a number in its form. */
function endText(controller: ResourceRequest, name: string, end: string): string {
  const locale = localeOf(controller.request.locale);
  if (locale.isEnglish) return end;
  const day = /^\d{4}-\d\d-\d\d$/.test(end) ? new Date(`${end}T00:00Z`) : undefined;
  if (day && !Number.isNaN(day.getTime())) return locale.dayText(day);
  return isDecimal(controller, name) ? locale.numbers.grouped(end) : end;
}

/** A value as people read it: a record by its label where they may see it. */
async function wordsOf(controller: ResourceRequest, name: string, value: string): Promise<string> {
  const { model } = controller.registration;
  const association = model.associations.get(name);
  if (association) {
    const { choices } = await choicesFor(controller, association.target, value, []);
    return choices.find((choice) => choice.value === value)?.label ?? value;
  }
  const column = model.columns.get(name);
  if (column?.type === "boolean") return controller.t(value === "1" ? "framework.yes" : "framework.no");
  const choice = (model.choices[name] ?? column?.values ?? []).map(choiceOf).find((one) => one.value === value);
  const named = valueLabels(controller, controller.registration, name)?.[value];
  return named ?? (choice ? choiceLabel(choice) : value);
}
