import { type BaseController, html, raw, type SafeHtml } from "framewright/host";
import { iconOrNothing } from "framewright/plugins/views";
import type { MetricOptions } from "../cards/card.ts";
import type { CardRequest } from "../cards/load.ts";
import type { Measured } from "../counts/counts.ts";
import { numberText, periodText } from "./words.ts";

/** A number, its change, and a line that only repeats it for the eye. */
export function metric(
  request: CardRequest,
  { format = (value) => numberText(request.controller, value) }: MetricOptions<never>,
  data: number | Measured,
): SafeHtml {
  const { value, before, points, isCurrent = false }: Measured = typeof data === "number" ? { value: data } : data;
  const change = before === undefined ? "" : changeText(request, value, before, format);
  return html`<div class="fw-metric"><strong>${format(value)}</strong>${change}${sparkLine(isCurrent ? points?.slice(0, -1) : points)}</div>`;
}

/** A smaller number before is shown as it is, as is one that is a small part of the present one: a percentage of it means nothing. */
const MIN_COMPARED = 10;
const MAX_TIMES = 4;

function changeText(
  { controller, period }: CardRequest,
  value: number,
  before: number,
  format: (value: number) => string,
): SafeHtml {
  const t = (key: string, vars: Record<string, unknown>) => controller.t(`dashboards.${key}`, vars);
  const span = periodText(controller, period);
  const icon = value === before ? "arrow-right" : value > before ? "trending-up" : "trending-down";
  const change =
    before < MIN_COMPARED || value === before || value > MAX_TIMES * before
      ? t("before", { before: format(before), period: span })
      : t(value > before ? "more" : "less", { percent: percentOf(controller, value, before), period: span });
  return html`<span class="fw-metric-change">${iconOrNothing(icon)}${change}</span>`;
}

function percentOf(controller: BaseController, value: number, before: number): string {
  const percent = Math.abs((100 * (value - before)) / before);
  return numberText(controller, percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent));
}

/** 100 by 32, drawn to the width of the card. */
function sparkLine(points: readonly number[] = []): SafeHtml {
  if (points.length < 2 || points.every((point) => point === 0)) return raw("");
  const top = Math.max(...points, 0);
  const bottom = Math.min(...points, 0);
  const y = (value: number) => 30 - (28 * (value - bottom)) / (top - bottom || 1);
  const line = points.map((value, at) => `${round((100 * at) / (points.length - 1))},${round(y(value))}`).join(" ");
  return raw(
    `<svg class="fw-spark" viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true" focusable="false"><polygon points="0,32 ${line} 100,32"/><polyline points="${line}"/></svg>`,
  );
}

const round = (number: number): number => Math.round(number * 100) / 100;
