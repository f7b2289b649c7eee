import type { ModelClass, Transaction } from "framewright/plugins/database";

const DAY_MS = 86_400_000;
/** The most working days that are counted at once: ten years. */
const MAX_DAYS = 2600;
/** Days that are looked up at once. */
const WINDOW = 120;

/** The key of a tenant; undefined in an application without tenants. */
export type TenantKey = number | string | undefined;
/** Counts days on which a tenant works. */
export interface WorkingDays {
  /**
   * The day that is `count` working days after another one, or before it where `count` is negative: "2026-12-23" and 3 give
   * "2026-12-29" where the 25th is a holiday. With 0 the day itself, or the next one that is worked on. In a transaction name it,
   * so that holidays of the same transaction count.
   * @throws RangeError for a day that is none, and for more than 2600 days
   */
  addWorkingDays(tenant: TenantKey, day: string, count: number, transaction?: Transaction): Promise<string>;
  /** Whether the tenant works on a day. */
  isWorkingDay(tenant: TenantKey, day: string, transaction?: Transaction): Promise<boolean>;
}

/** Working days between the holidays of a model. `weekend`: the days of the week on which nobody works, 0 for Sunday. */
export function workingDays(holidays: ModelClass, weekend: readonly number[]): WorkingDays {
  const free = new Set(weekend);
  const between = async (tenant: TenantKey, from: string, to: string, transaction: Transaction | undefined) => {
    const query = holidays.query(transaction).whereBetween("day", [from, to]);
    const rows = await (tenant === undefined ? query.whereNull("tenant_id") : query.where("tenant_id", tenant));
    return new Set(rows.map((row) => String(Reflect.get(row, "day"))));
  };
  const addWorkingDays: WorkingDays["addWorkingDays"] = async (tenant, day, count, transaction) => {
    if (!Number.isInteger(count) || Math.abs(count) > MAX_DAYS)
      throw new RangeError(`${count} is no number of working days: from ${-MAX_DAYS} to ${MAX_DAYS}`);
    const step = count < 0 ? -1 : 1;
    let at = instantOf(day);
    let left = Math.abs(count);
    for (;;) {
      const ahead = at + step * WINDOW * DAY_MS;
      const [from, to] = step > 0 ? [at, ahead] : [ahead, at];
      const closed = await between(tenant, dayOf(from), dayOf(to), transaction);
      const isWorked = () => !free.has(new Date(at).getUTCDay()) && !closed.has(dayOf(at));
      if (count === 0 && isWorked()) return dayOf(at);
      for (let looked = 0; looked < WINDOW; looked++) {
        at += step * DAY_MS;
        if (!isWorked()) continue;
        left--;
        if (left <= 0) return dayOf(at);
      }
    }
  };
  return {
    addWorkingDays,
    isWorkingDay: async (tenant, day, transaction) =>
      !free.has(new Date(instantOf(day)).getUTCDay()) && !(await between(tenant, day, day, transaction)).has(day),
  };
}

/** A day without a zone, by the calendar alone. @throws RangeError */
function instantOf(day: string): number {
  const instant = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(instant) || dayOf(instant) !== day)
    throw new RangeError(`${day} is not written like 2026-12-31, or no day`);
  return instant;
}
const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
