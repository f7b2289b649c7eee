import { unprocessable } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import type { ListRequest, ListShape } from "framewright/plugins/resources/toolkit";
import type { Calendar, DayColumn } from "./calendar_options.ts";
import { drawCalendar } from "./draw_calendar.ts";
import { isDay, later, Period, type Span, spans } from "./period.ts";

/** How many records a period shows. */
const MAX_ENTRIES = 500;

/** The shape of a list with a calendar. */
export function calendarShape(controller: ResourceRequest, calendar: Calendar): ListShape {
  const { timeZone } = controller.request;
  const today = timeZone.wallTime(new Date()).slice(0, 10);
  return {
    label: controller.t("resource.shapes.calendar"),
    icon: "calendar",
    drawsEmpty: true,
    names: () => [calendar.on, ...(calendar.to ? [calendar.to] : [])].map(({ name }) => name),
    read(list, read) {
      const period = periodOf(list, today);
      const sorts = [{ name: calendar.on.name, direction: "asc" as const }];
      const within = inPeriod(controller, calendar, period);
      return read({ ...list, sorts, page: 1, after: undefined, perPage: MAX_ENTRIES, within });
    },
    draw: (page) => drawCalendar(controller, { ...page, calendar, period: periodOf(page.list, today) }),
  };
}

/** The period that the address names. @throws HttpError 422 for what is none */
function periodOf({ shape = "" }: ListRequest, today: string): Period {
  const [, span = "month", at = today, ...more] = shape.split(".");
  if (!(spans as readonly string[]).includes(span) || !isDay(at) || more.length > 0)
    throw unprocessable("shape names no period of a calendar.", { shape: ["names no period of a calendar"] });
  return new Period(span as Span, at, today);
}

/** The condition of a period: by days, or by the times at which they begin where the person is. */
function inPeriod(controller: ResourceRequest, { on, to }: Calendar, period: Period) {
  const { table } = controller.registration.model;
  const column = ({ name }: DayColumn) => `${table}.${name}`;
  const first = (one: DayColumn) => startOf(controller, one, period.first);
  return (rows: Query<BaseModel>) => {
    rows.where(column(on), "<", startOf(controller, on, later(period.last, 1)));
    if (!to) return rows.where(column(on), ">=", first(on));
    const end = to.isTimed ? ">" : ">="; // what ends at midnight has ended the day before
    return rows.where((one) => one.where(column(on), ">=", first(on)).orWhere(column(to), end, first(to)));
  };
}

/** A day as a column has it: itself, or the time at which it begins where the person is, as the database writes it. */
const startOf = ({ request }: ResourceRequest, { isTimed }: DayColumn, day: string): string =>
  isTimed ? request.timeZone.dayStart(day)!.toISOString().replace("T", " ").replace("Z", "") : day;
