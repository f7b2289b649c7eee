import type { BaseController } from "framewright/host";
import type { Period, Unit } from "../period.ts";

/** 1234.5 → "1,234.5" */
export function numberText(value: number): string {
  return new Intl.NumberFormat("en", { maximumFractionDigits: 2 }).format(value);
}

const lengths = { d: "days", w: "weeks", m: "months" } as const;

/** "30 days" */
export const periodText = (controller: BaseController, { count, length }: Pick<Period, "count" | "length">): string =>
  controller.t(`dashboards.${lengths[length]}`, { count });

const formats: Readonly<Record<Unit, Intl.DateTimeFormat>> = {
  day: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
  week: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" }),
};

/** How the first day of a unit is written: "23 Nov", or "Nov 2026" for a month. */
export const dayText = (unit: Unit, day: string): string => formats[unit].format(new Date(`${day}T00:00Z`));
