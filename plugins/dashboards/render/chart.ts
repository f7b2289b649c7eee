import { html, humanize, localeOf, raw, type SafeHtml } from "framewright/host";
import { displayWords } from "framewright/plugins/fields";
import { fieldLabel, valueLabels } from "framewright/plugins/resources";
import type { ChartData, ChartOptions } from "../cards/card.ts";
import type { CardRequest } from "../cards/load.ts";
import type { Categories, Series } from "../counts/counts.ts";
import { isCurrent } from "../period.ts";
import { emptyCard } from "./failed.ts";
import { dayText, numberText } from "./words.ts";

interface ChartPoint {
  label: string;
  value: number;
  tone?: string | undefined;
  /** Of a unit that has not ended yet. */
  isCurrent?: boolean;
}

const isSeries = (data: ChartData): data is Series => "unit" in data;
const isCategories = (data: ChartData): data is Categories => "column" in data;

/** The data as a table, which the script draws as a chart: it is there without JavaScript, and for screen readers. */
export function chart(request: CardRequest, options: ChartOptions<never>, data: ChartData): SafeHtml {
  const { controller, card } = request;
  const t = (key: string) => controller.t(`dashboards.${key}`);
  const points = pointsOf(request, data);
  if (points.every(({ value }) => value === 0)) return emptyCard(t("no_data"));
  const { format = (value: number) => numberText(controller, value), type = usualType(data) } = options;
  const head = isSeries(data) ? t(`by_${data.unit}`) : isCategories(data) ? columnLabel(request, data) : t("what");
  const rows = points.map(
    ({ label, value, tone = "", isCurrent }) =>
      html`<tr data-tone="${tone}"${raw(isCurrent ? " data-current" : "")}><th scope="row">${label}</th><td class="fw-numeric" data-value="${value}">${format(value)}</td></tr>`,
  );
  const table = html`<table class="fw-chart-table"><caption class="visually-hidden">${card.label}</caption><thead><tr><th scope="col">${head}</th><th scope="col" class="fw-numeric">${t("number")}</th></tr></thead><tbody>${rows}</tbody></table>`;
  if (type === "doughnut" && !isRound(points)) return html`<div class="fw-chart">${table}</div>`;
  return html`<div class="fw-chart" data-chart="${type}" data-label="${card.label}"><details class="fw-chart-data" open><summary>${t("as_table")}</summary>${table}</details></div>`;
}

/** A line needs points to be one. */
const MIN_LINE = 12;
const usualType = (data: ChartData) => (isSeries(data) && data.points.length >= MIN_LINE ? "line" : "bar");

/** Whether parts of a whole can be distinguished: of three to six parts, and of a whole that is worth dividing. */
function isRound(points: readonly ChartPoint[]): boolean {
  const parts = points.filter(({ value }) => value > 0).length;
  return parts >= 3 && parts <= 6 && points.reduce((sum, { value }) => sum + value, 0) >= 20;
}

function pointsOf(request: CardRequest, data: ChartData): readonly ChartPoint[] {
  if (isSeries(data))
    return data.points.map(({ day, value }, at) => ({
      label: dayText(request.controller, data.unit, day),
      value,
      isCurrent: at === data.points.length - 1 && isCurrent(data.unit, day),
    }));
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
