import { Cron } from "croner";
import { suggest } from "framewright/kernel";
import type { Timing } from "../contract.ts";
import { errors } from "../errors.ts";

type Option = "cron" | "minutes" | "hours" | "timeZone";

const MINUTE_MS = 60_000;
const MAX_MINUTES = 44_640;
const MAX_HOURS = 744;
const MAX_CRON_CHARS = 150;

/** The due times of a schedule. */
export interface DueTimes {
  /** As it is stored and shown: another text is another declaration. */
  readonly text: string;
  /** The first due time after an instant. */
  next(after: Date): Date;
}
/** Whose schedule it is, for errors. */
export interface Declared {
  readonly name: string;
  readonly owner: string;
}

/** The due times of a declaration. @throws FW_SCHEDULE_OPTION, FW_SCHEDULE_CRON, FW_SCHEDULE_ZONE */
export function dueTimesOf(declared: Declared, options: Timing): DueTimes {
  const { cron, minutes, hours, timeZone }: { [key in Option]?: unknown } = options;
  const given = [cron, minutes, hours].filter((value) => value !== undefined);
  if (given.length !== 1) throw refused(declared, "exactly one of cron, minutes and hours");
  if (timeZone !== undefined && cron === undefined) throw refused(declared, "timeZone with cron only");
  if (minutes !== undefined) return interval(wholeNumber(declared, "minutes", minutes, MAX_MINUTES), "minute", 1);
  if (hours !== undefined) return interval(wholeNumber(declared, "hours", hours, MAX_HOURS), "hour", 60);
  return cronTimes(declared, cron, timeZone);
}

function wholeNumber(declared: Declared, option: string, value: unknown, max: number): number {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max) return value as number;
  throw refused(declared, `${option} to be a whole number from 1 to ${max}`);
}
const refused = ({ name, owner }: Declared, expected: string) => errors.FW_SCHEDULE_OPTION(name, owner, expected);

/** Multiples counted from an instant that is the same for every process, so that all compute the same due times. */
function interval(count: number, unit: string, minutes: number): DueTimes {
  const length = count * minutes * MINUTE_MS;
  return {
    text: count === 1 ? `every ${unit}` : `every ${count} ${unit}s`,
    next: (after) => new Date((Math.floor(after.getTime() / length) + 1) * length),
  };
}

const numbers = /^[\d*,/-]+$/;
/** What each field may consist of: croner reads more, which other crons do not. `L` is the last day of the month. */
const fields = [
  ["minute", numbers],
  ["hour", numbers],
  ["day", /^(?:[\d*,/-]+|L)$/],
  ["month", /^(?:[\d*,/-]|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)+$/i],
  ["weekday", /^(?:[\d*,/-]|SUN|MON|TUE|WED|THU|FRI|SAT)+$/i],
] as const;

function cronTimes(declared: Declared, given: unknown, zone: unknown): DueTimes {
  const { name, owner } = declared;
  if (typeof given !== "string") throw refused(declared, "cron to be a text");
  const text = given.trim().replaceAll(/\s+/g, " ");
  const timeZone = zone === undefined ? "UTC" : zone;
  if (typeof timeZone !== "string" || !isTimeZone(timeZone))
    throw errors.FW_SCHEDULE_ZONE(name, owner, String(timeZone), nearestZone(String(timeZone)));
  const problem = problemOf(text);
  if (problem !== undefined) throw errors.FW_SCHEDULE_CRON(name, owner, text.slice(0, MAX_CRON_CHARS), problem);
  const cron = parsed(declared, text, timeZone);
  return { text: `${text} ${timeZone}`, next: (after) => cron.nextRun(after)! };
}

function problemOf(text: string): string | undefined {
  if (text.length > MAX_CRON_CHARS) return `it is longer than ${MAX_CRON_CHARS} characters`;
  const parts = text === "" ? [] : text.split(" ");
  if (parts.length !== fields.length) return `it has ${parts.length} ${parts.length === 1 ? "field" : "fields"}`;
  const wrong = fields.findIndex(([, allowed], index) => !allowed.test(parts[index]!));
  return wrong < 0 ? undefined : `the ${fields[wrong]![0]} "${parts[wrong]}" is not understood`;
}

/** A list or a range is as fixed a time as a single number is: moved by a gap of the clock, and not repeated. */
function parsed({ name, owner }: Declared, text: string, timezone: string): Cron {
  let cron: Cron;
  try {
    cron = new Cron(text, { mode: "5-part", fixedTimeRule: "no-wildcard", timezone, paused: true });
  } catch (error) {
    throw errors.FW_SCHEDULE_CRON(name, owner, text, reasonOf(error));
  }
  if (!cron.nextRun()) throw errors.FW_SCHEDULE_CRON(name, owner, text, "no date is like that");
  return cron;
}
const reasonOf = (error: unknown): string =>
  String((error as Error).message)
    .replace(/^CronPattern: (?:Syntax error, )?/, "")
    .replace(/\.$/, "");

/** A name of the IANA database: an offset such as +02:00 knows no daylight saving, and not every Node takes it. */
function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
const nearestZone = (zone: string): string | undefined => suggest(zone, Intl.supportedValuesOf("timeZone"));
