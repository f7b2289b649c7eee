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
import type { Calendar } from "./calendar_options.ts";
import { dateOf, type Period, shapeOf, spans } from "./period.ts";

interface CalendarView extends ShapePage {
  readonly calendar: Calendar;
  readonly period: Period;
}

/** The days of a period with their records, and what leads to other periods. */
export async function drawCalendar(controller: ResourceRequest, view: CalendarView): Promise<SafeHtml> {
  const { period, page, urls } = view;
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`resource.calendar.${key}`, vars);
  const byDay = new Map<string, string[]>();
  for (const entry of page.entries) {
    const day = dayOf(controller, view, entry);
    byDay.set(day, [...(byDay.get(day) ?? []), await entryOf(controller, view, entry)]);
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

/** What the clocks and calendars of the person show of an entry: `2026-03-04T10:00`, or a day. */
function shownValue({ request }: ResourceRequest, { calendar }: CalendarView, entry: Entry): string {
  const value = entry.column(calendar.on);
  return value instanceof Date ? request.timeZone.inputTime(value) : String(value).slice(0, calendar.isTimed ? 16 : 10);
}
const dayOf = (controller: ResourceRequest, view: CalendarView, entry: Entry): string =>
  shownValue(controller, view, entry).slice(0, 10);

async function entryOf(controller: ResourceRequest, view: CalendarView, entry: Entry): Promise<string> {
  const { calendar, list, urls } = view;
  const value = shownValue(controller, view, entry);
  const time = calendar.isTimed ? `<span class="fw-event-time">${escapeHtml(value.slice(11, 16))}</span> ` : "";
  const label = escapeHtml(entry.toLabel());
  const isOpen = isAllowed(entry.policy(), "canShow");
  const href = hrefOf(entry.url());
  const from = fromList(controller, list, urls);
  const title = isOpen
    ? `<a class="fw-event-title" draggable="false" title="${label}" href="${href.includes("?") ? href : href + from}">${time}${label}</a>`
    : `<span class="fw-event-title" title="${label}">${time}${label}</span>`;
  const form = mayWrite(controller, entry, calendar.on) ? await moveForm(controller, view, entry, value) : "";
  return `<li class="fw-event${form === "" ? "" : " fw-event-movable"}" data-entry="${escapeHtml(String(entry.id))}">${title}${form}</li>`;
}

/** The form that moves an entry to another day; people see it where there is room for it. */
async function moveForm(controller: ResourceRequest, view: CalendarView, entry: Entry, value: string): Promise<string> {
  const { calendar, urls } = view;
  const { registration, request } = controller;
  const url = `${entry.url()}/calendar`;
  const marks = await originalMarks(controller, [registration.attribute(calendar.on)], entry.record);
  const label = escapeHtml(controller.t("resource.calendar.move", { name: entry.toLabel() }));
  const name = `${registration.key}[${calendar.on}]`;
  const at = entry.column(calendar.on);
  const zone = calendar.isTimed
    ? hidden(zoneField(name), zoneValue(request.timeZone, at instanceof Date ? at : undefined))
    : "";
  const type = calendar.isTimed ? "datetime-local" : "date";
  const carried = `${csrfInput(request, url, "post").html}${hidden("return_to", urls.same())}${fieldMarks(marks)}${zone}`;
  const input = `<input class="form-control" type="${type}" name="${escapeHtml(name)}" value="${escapeHtml(value)}" aria-label="${label}" required>`;
  const save = escapeHtml(controller.t("resource.calendar.save"));
  return `<details class="fw-dropdown fw-event-menu"><summary class="fw-row-action" aria-label="${label}" title="${label}">${iconOrNothing("calendar-event").html}</summary><div class="fw-dropdown-panel"><form method="post" action="${hrefOf(url)}">${carried}${input}<button class="btn">${save}</button></form></div></details>`;
}
