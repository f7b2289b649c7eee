import type { Timing } from "framewright/plugins/jobs";
import { dueTimesOf } from "../../../plugins/jobs/schedules/timing.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";

const declared = { name: "nightly", owner: "reports" };
const zurich = (cron: string): Timing => ({ cron, timeZone: "Europe/Zurich" });
const utc = (cron: string): Timing => ({ cron });

/** The due times after an instant, without seconds. */
function dueTimes(timing: Timing, after: string, count: number): string[] {
  const due = dueTimesOf(declared, timing);
  const times: string[] = [];
  for (let at = new Date(`${after}Z`); times.length < count; times.push(at.toISOString().slice(0, 16)))
    at = due.next(at);
  return times;
}
const dayIn = (timeZone: string) => {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone });
  return (at: Date) => format.format(at);
};

describe("The due times of a schedule", (it) => {
  const cases: [string, Timing, string, string[]][] = [
    ["a cron text without a time zone is read in UTC", utc("0 3 * * *"), "2026-06-30T03:00", ["2026-07-01T03:00"]],
    [
      "a due time is after the instant, by a millisecond",
      utc("0 3 * * *"),
      "2026-06-30T02:59:59.999",
      ["2026-06-30T03:00"],
    ],
    [
      "a day that a month does not have is left out",
      utc("0 0 31 * *"),
      "2026-01-31T12:00",
      ["2026-03-31T00:00", "2026-05-31T00:00", "2026-07-31T00:00"],
    ],
    [
      "L is the last day of each month",
      utc("0 0 L * *"),
      "2027-12-31T12:00",
      ["2028-01-31T00:00", "2028-02-29T00:00", "2028-03-31T00:00"],
    ],
    [
      "29 February comes with leap years",
      utc("0 0 29 2 *"),
      "2096-01-01T00:00",
      ["2096-02-29T00:00", "2104-02-29T00:00"],
    ],
    ["a year ends", utc("59 23 31 12 *"), "2026-12-31T23:59", ["2027-12-31T23:59"]],
    [
      "a day and a weekday are alternatives",
      utc("0 0 13 * FRI"),
      "2026-02-06T12:00",
      ["2026-02-13T00:00", "2026-02-20T00:00"],
    ],
    ["7 is Sunday as 0 is", utc("0 0 * * 7"), "2026-01-31T12:00", ["2026-02-01T00:00", "2026-02-08T00:00"]],
    [
      "lists, ranges and steps",
      utc("0,30 8-18/5 * jan-mar MON-FRI"),
      "2026-03-31T13:30",
      ["2026-03-31T18:00", "2026-03-31T18:30", "2027-01-01T08:00"],
    ],
    // 29 March 2026: 02:00 becomes 03:00 at 01:00 UTC.
    [
      "a time that does not exist is due at the first one that does",
      zurich("30 2 * * *"),
      "2026-03-28T01:30",
      ["2026-03-29T01:00", "2026-03-30T00:30"],
    ],
    [
      "two times that fall on the same instant are one",
      zurich("0 2,3 * * *"),
      "2026-03-28T02:00",
      ["2026-03-29T01:00", "2026-03-30T00:00"],
    ],
    [
      "a step follows the hours that exist",
      zurich("*/30 * * * *"),
      "2026-03-29T00:30",
      ["2026-03-29T01:00", "2026-03-29T01:30"],
    ],
    // 25 October 2026: 03:00 becomes 02:00 at 01:00 UTC.
    [
      "a time that exists twice is due the first time alone",
      zurich("30 2 * * *"),
      "2026-10-24T00:30",
      ["2026-10-25T00:30", "2026-10-26T01:30"],
    ],
    ["also when asked between the two", zurich("30 2 * * *"), "2026-10-25T01:10", ["2026-10-26T01:30"]],
    [
      "a list is due the first time alone",
      zurich("0,30 2 * * *"),
      "2026-10-24T23:00",
      ["2026-10-25T00:00", "2026-10-25T00:30", "2026-10-26T01:00"],
    ],
    [
      "a step follows the hours that pass",
      zurich("*/30 * * * *"),
      "2026-10-25T00:00",
      ["2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30", "2026-10-25T02:00"],
    ],
    [
      "minutes are counted from midnight UTC",
      { minutes: 15 },
      "2026-10-25T00:46",
      ["2026-10-25T01:00", "2026-10-25T01:15"],
    ],
    ["hours are counted from midnight UTC", { hours: 6 }, "2026-10-25T00:00", ["2026-10-25T06:00", "2026-10-25T12:00"]],
  ];
  for (const [sentence, timing, after, expected] of cases)
    it(`${sentence} (${JSON.stringify(timing)})`, () => {
      assert.equal(dueTimes(timing, after, expected.length), expected);
    });

  it("A daily time is due once on each day of a year, in zones whose clocks change at other hours or skip a day", () => {
    const years: [string, string, string, number][] = [
      ["30 2 * * *", "Europe/Zurich", "2026-01-01T12:00", 365],
      ["45 1 * * *", "Australia/Lord_Howe", "2026-01-01T12:00", 365],
      ["0 0 * * *", "America/Sao_Paulo", "2018-01-01T12:00", 365],
      ["0 0 * * *", "Pacific/Apia", "2011-06-01T12:00", 365], // without 30 December 2011
      ["15 2 * * *", "America/New_York", "2028-01-01T12:00", 366],
    ];
    for (const [cron, timeZone, from, count] of years) {
      const due = dueTimesOf(declared, { cron, timeZone });
      const day = dayIn(timeZone);
      const days: string[] = [];
      for (let at = new Date(`${from}Z`); days.length < count; days.push(day(at))) at = due.next(at);
      assert.is(new Set(days).size, count, timeZone);
      const first = new Date(days[0]!).getTime();
      const span = (new Date(days.at(-1)!).getTime() - first) / 86_400_000 + 1;
      assert.is(span, timeZone === "Pacific/Apia" ? count + 1 : count, timeZone);
    }
  });
});

describe("A schedule that is not valid", (it) => {
  const refuse = async (code: string, timing: object, ...texts: string[]) => {
    const error = await throwsCode(code, () => void dueTimesOf(declared, timing as Timing));
    for (const text of ['"nightly"', '"reports"', ...texts]) assert.ok(error.message.includes(text), error.message);
  };

  it("A wrong cron text is refused with the schedule, the plugin, the text and what is wrong with it", async () => {
    const wrong: [string, string][] = [
      ["", "it has 0 fields"],
      ["daily", "it has 1 field"],
      ["@daily", "it has 1 field"],
      ["* * * *", "it has 4 fields"],
      ["0 0 3 * * *", "it has 6 fields"],
      ["60 * * * *", "60"],
      ["* 24 * * *", "24"],
      ["* * 0 * *", "day"],
      ["* * 32 * *", "32"],
      ["* * * 13 *", "13"],
      ["* * * * 8", "8"],
      ["5-1 * * * *", "5-1"],
      ["*/0 * * * *", "0"],
      ["*/70 * * * *", "60"],
      ["5/15 * * * *", "5/15"],
      ["1,,2 * * * *", "minute"],
      ["-1 * * * *", "-1"],
      ["1.5 * * * *", '"1.5"'],
      ["? * * * *", '"?"'],
      ["* * LW * *", '"LW"'],
      ["* * * * MON#2", '"MON#2"'],
      ["* * * JANUARY *", '"JANUARY"'],
      ["* * * * *\u0000", "weekday"],
      ["0 0 30 2 *", "no date is like that"],
      ["0 0 31 4,6 *", "no date is like that"],
      [`${"1,".repeat(100)}1 * * * *`, "150"],
    ];
    for (const [cron, what] of wrong) await refuse("FW_SCHEDULE_CRON", { cron }, what, "five fields");
  });

  it("An unknown time zone is refused with the nearest one that exists", async () => {
    await refuse(
      "FW_SCHEDULE_ZONE",
      { cron: "0 3 * * *", timeZone: "Europe/Zürich" },
      '"Europe/Zürich"',
      '"Europe/Zurich"?',
    );
    for (const timeZone of ["Mars/Base", "", "+02:00", 7, null])
      await refuse("FW_SCHEDULE_ZONE", { cron: "0 3 * * *", timeZone }, "IANA");
  });

  it("Any other timing is refused with what is expected", async () => {
    for (const minutes of [0, -5, 1.5, "15", Number.NaN, 44_641, null])
      await refuse("FW_SCHEDULE_OPTION", { minutes }, "minutes to be a whole number from 1 to 44640");
    await refuse("FW_SCHEDULE_OPTION", { hours: 745 }, "hours to be a whole number from 1 to 744");
    for (const timing of [{}, { cron: "0 3 * * *", minutes: 5 }, { minutes: 5, hours: 1 }])
      await refuse("FW_SCHEDULE_OPTION", timing, "exactly one of cron, minutes and hours");
    await refuse("FW_SCHEDULE_OPTION", { minutes: 5, timeZone: "UTC" }, "timeZone with cron only");
    await refuse("FW_SCHEDULE_OPTION", { cron: 5 }, "cron to be a text");
  });
});
