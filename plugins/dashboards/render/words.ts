import { type BaseController, localeOf } from "framewright/host";
import type { Period, Unit } from "../period.ts";

/** 1234.5 → "1,234.5", as the person's language writes it. */
export const numberText = ({ request }: BaseController, value: number): string =>
  localeOf(request.locale).numbers.rounded(value);

const lengths = { d: "days", w: "weeks", m: "months" } as const;

/** "30 days" */
export const periodText = (controller: BaseController, { count, length }: Pick<Period, "count" | "length">): string =>
  controller.t(`dashboards.${lengths[length]}`, { count });

/** How the first day of a unit is written: "23 Nov", or "Nov 2026" for a month. */
export function dayText({ request }: BaseController, unit: Unit, day: string): string {
  const locale = localeOf(request.locale);
  const at = new Date(`${day}T00:00Z`);
  return unit === "month" ? locale.monthText(at) : locale.dayOfYearText(at);
}
