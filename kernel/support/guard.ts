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

/** Calls an async tap; a synchronous throw becomes a rejection. */
function callTap(fn: TapFunction, args: unknown[]): Promise<unknown> {
  try {
    return Promise.resolve(fn(...args));
  } catch (cause) {
    return Promise.reject(cause);
  }
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

/** The same for a tap that is awaited, and a deadline while the application boots or closes. */
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
    const within = deadlines.size === 0 ? undefined : deadlines.get(name);
    const answered = callTap(fn, args);
    const late = () => errors.FW_TAP_TIMEOUT(label, name, within!);
    return (within === undefined ? answered : withTimeout(within, answered, late)).then(
      (answer) => {
        running.remove(call.index, call);
        return checkAnswer(label, name, answer, rule);
      },
      (cause: unknown) => {
        running.remove(call.index, call);
        throw failure(label, name, cause);
      },
    );
  };
}

/** Whether a hook's taps answer at once. By the name of its class: a plugin may bring a tapable of its own. */
export const isSyncHook = (hook: object): boolean => hook.constructor.name.startsWith("Sync");
