import { csrfInput, escapeHtml, html, localeOf, raw, type SafeHtml, zoneField, zoneValue } from "framewright/host";
import { fieldMarks, mayWrite } from "framewright/plugins/cards";
import { hidden } from "framewright/plugins/fields/toolkit";
import { isAllowed, type ResourceRequest } from "framewright/plugins/resources";
import {
  type Entry,
  fromList,
  hrefOf,
  type ListUrls,
  numberText,
  originalMarks,
  type ShapePage,
} from "framewright/plugins/resources/toolkit";
import { iconOrNothing } from "framewright/plugins/views";
import type { Calendar, DayColumn } from "./calendar_options.ts";
import { dateOf, later, type Period, shapeOf, spans } from "./period.ts";

interface CalendarView extends ShapePage {
  readonly calendar: Calendar;
  readonly period: Period;
}

/** The days of a period with their records, and what leads to other periods. */
export async function drawCalendar(controller: ResourceRequest, view: CalendarView): Promise<SafeHtml> {
  const { period, page, urls } = view;
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`resource.calendar.${key}`, vars);
  const byDay = new Map<string, string[]>();
  const add = (day: string, drawn: string) => byDay.set(day, [...(byDay.get(day) ?? []), drawn]);
  for (const entry of page.entries) {
    const [first, last] = daysOf(controller, view.calendar, entry);
    if (first >= period.first) add(first, await entryOf(controller, view, entry, first !== last));
    for (
      let day = first < period.first ? period.first : later(first, 1);
      day <= last && day <= period.last;
      day = later(day, 1)
    )
      add(day, continuedOn(controller, view, entry));
  }
  const left = page.total - page.entries.length;
  const note = left > 0 && html`<p class="fw-calendar-note">${t("more", { count: numberText(controller, left) })}</p>`;
  const assets = controller.request.kernel.service("assets");
  const scripts = ["calendar_drag.js", "calendar.js"].map(
    (name) => html`<script src="${assets.url(name)}" defer></script>`,
  );
  const texts = raw(` data-moved="${escapeHtml(t("moved"))}" data-failed="${escapeHtml(t("failed"))}"`);
  const days = period.span === "agenda" ? agenda(controller, view, byDay) : grid(controller, view, byDay);
  return html`<p class="fw-calendar-problem" role="alert" hidden></p><p class="visually-hidden" role="status" data-calendar-status></p><div class="fw-calendar fw-calendar-${period.span}"${texts}>${head(controller, period, urls)}${note}${days}</div>${scripts}`;
}

/** The period's name, and links to those before and after, to today, and to other spans. */
function head(controller: ResourceRequest, period: Period, urls: ListUrls): SafeHtml {
  const { span, at, today } = period;
  const t = (key: string) => controller.t(`resource.calendar.${key}`);
  const locale = localeOf(controller.request.locale);
  const link = (key: string, day: string, icon: string) =>
    html`<a class="fw-page" href="${urls.shape(shapeOf(span, day, today))}" title="${t(key)}">${iconOrNothing(icon)}<span class="visually-hidden">${t(key)}</span></a>`;
  const others = spans.map(
    (one) =>
      html`<a class="btn" href="${urls.shape(shapeOf(one, at, today))}"${raw(one === span ? ' aria-current="true"' : "")}>${t(one)}</a>`,
  );
  return html`<div class="fw-calendar-head"><h2>${period.title(locale)}</h2><nav class="fw-calendar-steps" aria-label="${t("steps")}">${link("previous", period.beside(-1), "chevron-left")}<a class="btn" href="${urls.shape(shapeOf(span, today, today))}">${t("today")}</a>${link("next", period.beside(1), "chevron-right")}</nav><div class="fw-shapes" role="group" aria-label="${t("span")}">${others}</div></div>`;
}

type ByDay = ReadonlyMap<string, readonly string[]>;

/** The weeks of a month, or one week. On a narrow screen the days are below each other, and empty ones are left out. */
function grid(controller: ResourceRequest, { period }: CalendarView, byDay: ByDay): SafeHtml {
  const { locale } = controller.request;
  const weekday = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  const names = period.days.slice(0, 7).map((day) => html`<th scope="col">${weekday.format(dateOf(day))}</th>`);
  const weeks: SafeHtml[] = [];
  for (let from = 0; from < period.days.length; from += 7) {
    const days = period.days.slice(from, from + 7).map((day) => cell(controller, period, day, byDay.get(day) ?? []));
    weeks.push(html`<tr>${days}</tr>`);
  }
  return html`<table class="fw-calendar-grid"><thead><tr>${names}</tr></thead><tbody>${weeks}</tbody></table>`;
}

function cell(controller: ResourceRequest, period: Period, day: string, entries: readonly string[]): SafeHtml {
  const text = localeOf(controller.request.locale).dayText(dateOf(day));
  const now = day === period.today ? " fw-day-today" : "";
  const outside = period.isOutside(day) ? " fw-day-outside" : "";
  const empty = entries.length === 0 ? " fw-day-empty" : "";
  const number = html`<time class="fw-day-number" datetime="${day}"><span class="fw-day-long">${text}</span><span class="fw-day-short" aria-hidden="true">${Number(day.slice(8))}</span></time>`;
  return html`<td class="fw-day${now}${outside}${empty}">${number}<ul class="fw-day-entries" data-day="${day}">${raw(entries.join(""))}</ul></td>`;
}

/** The days that have something, one below the other. */
function agenda(controller: ResourceRequest, { period }: CalendarView, byDay: ByDay): SafeHtml {
  const locale = localeOf(controller.request.locale);
  const weekday = new Intl.DateTimeFormat(controller.request.locale, { weekday: "short", timeZone: "UTC" });
  const days = period.days.flatMap((day) => {
    const entries = byDay.get(day);
    const date = dateOf(day);
    return entries
      ? [
          html`<section class="fw-agenda-day${day === period.today ? " fw-day-today" : ""}"><h3>${weekday.format(date)} ${locale.dayText(date)}</h3><ul class="fw-day-entries" data-day="${day}">${raw(entries.join(""))}</ul></section>`,
        ]
      : [];
  });
  if (days.length > 0) return html`<div class="fw-agenda">${days}</div>`;
  return html`<p class="fw-calendar-note">${controller.t("resource.calendar.nothing")}</p>`;
}

/** What the clocks and calendars of the person show of a column: `2026-03-04T10:00`, or a day. */
function shownValue({ request }: ResourceRequest, { name, isTimed }: DayColumn, entry: Entry): string {
  const value = entry.column(name);
  return value instanceof Date ? request.timeZone.inputTime(value) : String(value).slice(0, isTimed ? 16 : 10);
}

/** The first and the last day of an entry. One without an end, or with an end before its beginning, has one day. */
function daysOf(
  controller: ResourceRequest,
  { on, to }: Calendar,
  entry: Entry,
): readonly [first: string, last: string] {
  const first = shownValue(controller, on, entry).slice(0, 10);
  const end = to && entry.column(to.name);
  if (!to || end === null || end === undefined) return [first, first];
  const shown = shownValue(controller, to, entry);
  const isMidnight = to.isTimed && shown.slice(11) === "00:00";
  const last = isMidnight ? later(shown.slice(0, 10), -1) : shown.slice(0, 10);
  return [first, last > first ? last : first];
}

/** An entry on its first day. One of several days is changed in its form: its end would stay where it is. */
async function entryOf(
  controller: ResourceRequest,
  view: CalendarView,
  entry: Entry,
  isLong: boolean,
): Promise<string> {
  const { on } = view.calendar;
  const value = shownValue(controller, on, entry);
  const time = on.isTimed ? `<span class="fw-event-time">${escapeHtml(value.slice(11, 16))}</span> ` : "";
  const isMovable = !isLong && mayWrite(controller, entry, on.name);
  const form = isMovable ? await moveForm(controller, view, entry, value) : "";
  return `<li class="fw-event${form === "" ? "" : " fw-event-movable"}" data-entry="${escapeHtml(String(entry.id))}">${titleOf(controller, view, entry, time)}${form}</li>`;
}

/** An entry on a day after its first. */
const continuedOn = (controller: ResourceRequest, view: CalendarView, entry: Entry): string =>
  `<li class="fw-event fw-event-continued">${titleOf(controller, view, entry, "")}</li>`;

/** The label of an entry, as a link where the person may open it. `before`: HTML. */
function titleOf(controller: ResourceRequest, { list, urls }: CalendarView, entry: Entry, before: string): string {
  const label = escapeHtml(entry.toLabel());
  const isOpen = isAllowed(entry.policy(), "canShow");
  const href = hrefOf(entry.url());
  const from = fromList(controller, list, urls);
  return isOpen
    ? `<a class="fw-event-title" draggable="false" title="${label}" href="${href.includes("?") ? href : href + from}">${before}${label}</a>`
    : `<span class="fw-event-title" title="${label}">${before}${label}</span>`;
}

/** The form that moves an entry to another day; people see it where there is room for it. */
async function moveForm(controller: ResourceRequest, view: CalendarView, entry: Entry, value: string): Promise<string> {
  const { urls, calendar } = view;
  const { name: column, isTimed } = calendar.on;
  const { registration, request } = controller;
  const url = `${entry.url()}/calendar`;
  const marks = await originalMarks(controller, [registration.attribute(column)], entry.record);
  const label = escapeHtml(controller.t("resource.calendar.move", { name: entry.toLabel() }));
  const name = `${registration.key}[${column}]`;
  const at = entry.column(column);
  const zone = isTimed ? hidden(zoneField(name), zoneValue(request.timeZone, at instanceof Date ? at : undefined)) : "";
  const type = isTimed ? "datetime-local" : "date";
  const carried = `${csrfInput(request, url, "post").html}${hidden("return_to", urls.same())}${fieldMarks(marks)}${zone}`;
  const input = `<input class="form-control" type="${type}" name="${escapeHtml(name)}" value="${escapeHtml(value)}" aria-label="${label}" required>`;
  const save = escapeHtml(controller.t("resource.calendar.save"));
  return `<details class="fw-dropdown fw-event-menu"><summary class="fw-row-action" aria-label="${label}" title="${label}">${iconOrNothing("calendar-event").html}</summary><div class="fw-dropdown-panel"><form method="post" action="${hrefOf(url)}">${carried}${input}<button class="btn">${save}</button></form></div></details>`;
}
