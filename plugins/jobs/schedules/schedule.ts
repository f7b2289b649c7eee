import { suggest } from "framewright/kernel";
import type { ScheduleOptions } from "../contract.ts";
import { errors } from "../errors.ts";
import { type DueTimes, dueTimesOf } from "./timing.ts";

/** A schedule as a plugin declares it. */
export interface Schedule {
  readonly name: string;
  readonly owner: string;
  readonly kind: string;
  readonly payload: object;
  readonly maxAttempts: number | undefined;
  readonly due: DueTimes;
}

/** ASCII, so that both databases take the same names for equal. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;
const options = ["cron", "timeZone", "minutes", "hours", "kind", "payload", "maxAttempts"];

/** Checks a declaration. @throws FW_SCHEDULE_OPTION, FW_SCHEDULE_CRON, FW_SCHEDULE_ZONE */
export function readSchedule(name: string, owner: string, given: ScheduleOptions): Schedule {
  const expect = (isRight: boolean, expected: string) => {
    if (!isRight) throw errors.FW_SCHEDULE_OPTION(String(name), owner, expected);
  };
  expect(typeof name === "string" && NAME.test(name), "a name of at most 100 letters, digits, dots, colons and dashes");
  expect(isObject(given), "options such as { minutes: 15 }");
  const unknown = Object.keys(given).find((key) => !options.includes(key));
  expect(unknown === undefined, `only the options ${options.join(", ")}, not "${unknown}"${nearest(unknown)}`);
  const { kind = name, payload = {}, maxAttempts } = given;
  expect(typeof kind === "string" && kind !== "", "kind to be the name of a kind of job");
  expect(isObject(payload) && isJson(payload), "payload to be an object that JSON can hold");
  expect(maxAttempts === undefined || isCount(maxAttempts), "maxAttempts to be a whole number, 1 or more");
  return { name, owner, kind, payload, maxAttempts, due: dueTimesOf({ name, owner }, given) };
}

const nearest = (unknown: string | undefined): string => {
  const known = unknown === undefined ? undefined : suggest(unknown, options);
  return known === undefined ? "" : ` (did you mean "${known}"?)`;
};
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 1;
const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
function isJson(payload: object): boolean {
  try {
    return typeof JSON.stringify(payload) === "string";
  } catch {
    return false;
  }
}
