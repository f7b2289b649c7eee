import { html, humanize, localeOf, type SafeHtml } from "framewright/host";
import { displayWords } from "framewright/plugins/fields";
import { fieldLabel, valueLabels } from "framewright/plugins/resources";
import type { ChartData, ChartOptions } from "../cards/card.ts";
import type { CardRequest } from "../cards/load.ts";
import type { Categories, Series } from "../counts/counts.ts";
import { emptyCard } from "./failed.ts";
import { dayText, numberText } from "./words.ts";

interface ChartPoint {
  label: string;
  value: number;
  tone?: string | undefined;
}

const isSeries = (data: ChartData): data is Series => "unit" in data;
const isCategories = (data: ChartData): data is Categories => "column" in data;

/** The data as a table, which the script draws as a chart: it is there without JavaScript, and for screen readers. */
export function chart(request: CardRequest, options: ChartOptions<never>, data: ChartData): SafeHtml {
  const { controller, card } = request;
  const t = (key: string) => controller.t(`dashboards.${key}`);
  const points = pointsOf(request, data);
  if (points.every(({ value }) => value === 0)) return emptyCard(t("no_data"));
  const { format = (value: number) => numberText(controller, value), type = isSeries(data) ? "line" : "bar" } = options;
  const head = isSeries(data) ? t(`by_${data.unit}`) : isCategories(data) ? columnLabel(request, data) : t("what");
  const rows = points.map(
    ({ label, value, tone = "" }) =>
      html`<tr data-tone="${tone}"><th scope="row">${label}</th><td class="fw-numeric" data-value="${value}">${format(value)}</td></tr>`,
  );
  return html`<div class="fw-chart" data-chart="${type}" data-label="${card.label}"><details class="fw-chart-data" open><summary>${t("as_table")}</summary><table class="fw-chart-table"><caption class="visually-hidden">${card.label}</caption><thead><tr><th scope="col">${head}</th><th scope="col" class="fw-numeric">${t("number")}</th></tr></thead><tbody>${rows}</tbody></table></details></div>`;
}

function pointsOf(request: CardRequest, data: ChartData): readonly ChartPoint[] {
  if (isSeries(data))
    return data.points.map(({ day, value }) => ({ label: dayText(request.controller, data.unit, day), value }));
  return isCategories(data) ? categoryPoints(request, data) : data;
}

/** What a column is called, as the portal's resource calls it. */
function columnLabel({ controller, mount }: CardRequest, { model, column }: Categories): string {
  const registration = controller.request.kernel.service("resources").registry.of(mount.portal).get(model);
  if (!registration || localeOf(controller.request.locale).isEnglish) return humanize(column);
  return fieldLabel(controller, registration, registration.attribute(column), "listed");
}

/** The values of a column as the portal's resource shows them: its words, and the tones of its states. */
function categoryPoints({ controller, mount }: CardRequest, { model, column, points }: Categories): ChartPoint[] {
  const registration = controller.request.kernel.service("resources").registry.of(mount.portal).get(model);
  const listed = registration?.attribute(column).listed;
  const labels = registration && valueLabels(controller, registration, column);
  const words = displayWords((key) => controller.t(key), localeOf(controller.request.locale));
  const isBoolean = listed?.as === "boolean";
  const isState = listed === undefined || ["select", "radio", "enum"].includes(listed.as);
  return points.map(({ key, value }) => {
    const text = String(key);
    const label =
      key === null
        ? words.notSet
        : isBoolean
          ? yesOrNo(key, words)
          : (labels?.[text] ?? (isState ? humanize(text) : text));
    const { tones = {} } = listed ?? {};
    return { label, value, tone: Object.hasOwn(tones, text) ? tones[text] : undefined };
  });
}

const yesOrNo = (value: unknown, { yes, no }: { yes: string; no: string }): string =>
  value === true || Number(value) === 1 ? yes : no;
