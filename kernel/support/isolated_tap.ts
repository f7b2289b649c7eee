import { errors } from "../errors.ts";
import { FramewrightError, messageOf } from "./error_table.ts";
import type { TapFunction } from "./guard.ts";
import type { TapCalls } from "./tap_calls.ts";

/** Leaves something in the place of a tap that failed; it gets the tap's arguments. */
export type Replacement = (...args: never[]) => void;

/** A tap that fails alone: what it throws is reported by plugin and hook, and the other taps run. Answers, as a 404, pass. */
export function isolated(label: string, plugin: string, tap: TapFunction, calls: TapCalls, replace: Replacement) {
  const fail = (cause: unknown, args: unknown[]): undefined => {
    if (!calls.report || typeof (cause as { status?: unknown } | undefined)?.status === "number") throw cause;
    calls.report(named(label, plugin, cause), args);
    replace(...(args as never[]));
  };
  return (...args: unknown[]): unknown => {
    try {
      const answer = tap(...args);
      return answer instanceof Promise ? answer.catch((cause: unknown) => fail(cause, args)) : answer;
    } catch (cause) {
      return fail(cause, args);
    }
  };
}

function named(label: string, plugin: string, cause: unknown): Error {
  if (cause instanceof FramewrightError && cause.code.startsWith("FW_TAP_")) return cause;
  return Object.assign(errors.FW_TAP_FAILED(label, plugin, messageOf(cause)), { cause });
}
