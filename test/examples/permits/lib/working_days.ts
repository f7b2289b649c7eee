import type { Transaction } from "framewright/plugins/database";
import Holiday from "#app/models/holiday.ts";

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** The day that is `count` working days after another, between the weekends and the holidays of a municipality. */
export async function addWorkingDays(municipality_id: number, from: string, count: number, transaction: Transaction) {
  const holidays = await Holiday.query(transaction).where({ municipality_id }).where("day", ">", from);
  const closed = new Set(holidays.map(({ day }) => day));
  const at = new Date(`${from}T00:00:00Z`);
  for (let left = count; left > 0; ) {
    at.setUTCDate(at.getUTCDate() + 1);
    if (at.getUTCDay() % 6 !== 0 && !closed.has(dayOf(at))) left--;
  }
  return dayOf(at);
}
