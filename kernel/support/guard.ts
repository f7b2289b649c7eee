import { errors } from "../errors.ts";
import type { AnswerRule } from "./answer_rule.ts";
import { describe, FramewrightError, messageOf } from "./error_table.ts";
import type { RunningTap, TapCalls } from "./tap_calls.ts";

/** The function of a tap. */
export type TapFunction = (...args: unknown[]) => unknown;

function failure(label: string, plugin: string, cause: unknown): unknown {
  if (cause instanceof Error && (cause as { status?: number }).status !== undefined) return cause; // an answer, not a fault
  if (cause instanceof FramewrightError) return cause;
  const error = errors.FW_TAP_FAILED(label, plugin, messageOf(cause));
  error.cause = cause;
  return error;
}

function checkAnswer(label: string, plugin: string, answer: unknown, rule: AnswerRule | undefined): unknown {
  if (answer === undefined) return answer;
  if (answer === null && rule?.orNull) return answer;
  if (answer === null) throw errors.FW_TAP_ANSWER(label, plugin, "null", "an answer");
  if (rule && !rule.check(answer)) throw errors.FW_TAP_ANSWER(label, plugin, describe(answer), rule.expected);
  return answer;
}

const isThenable = (answer: unknown): boolean =>
  typeof answer === "object" && answer !== null && typeof (answer as { then?: unknown }).then === "function";

interface Guarded {
  name: string;
  fn: TapFunction;
}

/** Names the plugin in what a tap throws, and refuses promises and answers that the owner of the hook does not expect. */
export function guardSync(
  label: string,
  { name, fn }: Guarded,
  calls: TapCalls,
  { isSync, rule }: { isSync: boolean; rule: AnswerRule | undefined },
): TapFunction {
  return (...args) => {
    let answer: unknown;
    const outer = calls.current;
    calls.current = name;
    try {
      answer = fn(...args);
    } catch (cause) {
      throw failure(label, name, cause);
    } finally {
      calls.current = outer;
    }
    if (answer === undefined) return answer;
    if (isThenable(answer)) {
      const fix = isSync ? "an answer that is there at once" : "tapPromise for a tap that awaits";
      if (!(answer instanceof Promise))
        throw errors.FW_TAP_ANSWER(label, name, "a query, or what else is awaited", fix);
      answer.catch(() => undefined); // refused here by name; must not end the process as unhandled as well
      throw errors.FW_TAP_ANSWER(label, name, "a promise", fix);
    }
    return checkAnswer(label, name, answer, rule);
  };
}

/** Awaits a promise, or rejects with `late()` after so many milliseconds. The timer keeps the process alive meanwhile. */
export async function withTimeout<T>(milliseconds: number, awaited: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds);
  });
  try {
    return await Promise.race([awaited, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The same for a tap that may wait, and a deadline while the application boots or closes. What answers at once costs no promise.
 */
export function guardAsync(
  label: string,
  { name, fn }: Guarded,
  calls: TapCalls,
  rule: AnswerRule | undefined,
): TapFunction {
  const { running, deadlines } = calls;
  return (...args) => {
    const call: RunningTap = { hook: label, plugin: name, args, context: calls.context(), index: -1 };
    call.index = running.add(call);
    const done = (answer: unknown) => {
      running.remove(call.index, call);
      return checkAnswer(label, name, answer, rule);
    };
    const failed = (cause: unknown): never => {
      running.remove(call.index, call);
      throw failure(label, name, cause);
    };
    let answer: unknown;
    try {
      answer = fn(...args);
    } catch (cause) {
      return failed(cause);
    }
    if (!isThenable(answer)) return done(answer);
    const awaited = Promise.resolve(answer);
    const within = deadlines.size === 0 ? undefined : deadlines.get(name);
    const late = () => errors.FW_TAP_TIMEOUT(label, name, within!);
    return (within === undefined ? awaited : withTimeout(within, awaited, late)).then(done, failed);
  };
}

/** What a hook calls with the answer of a tap, or with what it threw. */
type Answered = (error: unknown, answer?: unknown) => void;

/** A tap as tapable calls one that may wait: it calls back, at once where nothing waits. */
export function callingBack(fn: TapFunction): TapFunction {
  return (...given) => {
    const args = given.slice(0, -1);
    const answered = given.at(-1) as Answered;
    let answer: unknown;
    try {
      answer = fn(...args);
    } catch (cause) {
      return answered(cause);
    }
    if (answer instanceof Promise) answer.then((value: unknown) => answered(null, value), answered);
    else answered(null, answer);
  };
}

/** Whether a hook's taps answer at once. By the name of its class: a plugin may bring a tapable of its own. */
export const isSyncHook = (hook: object): boolean => hook.constructor.name.startsWith("Sync");
