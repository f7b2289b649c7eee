import type { Tap } from "tapable";

type Answered<R> = (error?: Error | null, answer?: R) => void;
/** A hook whose taps may wait. */
interface AsyncHook<Args extends unknown[], R> {
  promise(...args: Args): Promise<R>;
  callAsync(...given: never[]): void;
}
interface TappedHook<Args extends unknown[]> {
  readonly taps: readonly Tap[];
  tap(options: never, fn: (...args: Args) => never): void;
}

/**
 * Calls a hook whose taps may wait: a promise where one of them does, else what they answered. The owner of a hook that most
 * requests call saves the promises that `hook.promise(…)` costs where nothing waits. What a tap throws at once is thrown.
 * @example
 * const waiting = callHook(hooks.actions, controller);
 * if (waiting) await waiting;
 */
export function callHook<Args extends unknown[], R>(
  hook: AsyncHook<Args, R>,
  ...args: Args
): Promise<R> | Exclude<R, void> | undefined {
  return awaitable((answered: Answered<R>) =>
    (hook.callAsync as (...given: unknown[]) => void)(...args, answered),
  ) as never;
}

/** A tap of a hook, to be called by itself. */
export interface OneTap<Args extends unknown[]> {
  readonly plugin: string;
  /** A promise where the tap waits, else what it answered. What it throws at once is thrown. */
  call(...args: Args): unknown;
}

/** The taps of a hook, for an owner that calls each by itself: what one throws does not end the others. */
export function tapsOf<Args extends unknown[]>(hook: TappedHook<Args>): OneTap<Args>[] {
  return (hook.taps as readonly (Tap & { fn: (...given: unknown[]) => unknown; type: string })[]).map((tap) => ({
    plugin: tap.name,
    call: (...args) => (tap.type === "async" ? awaitable((answered) => tap.fn(...args, answered)) : tap.fn(...args)),
  }));
}

/** What calls back, as an answer or a promise: at once where it calls back at once. */
function awaitable<R>(run: (answered: Answered<R>) => void): Promise<R | undefined> | R | undefined {
  let isOver = false;
  let answer: R | undefined;
  let failure: { error: unknown } | undefined;
  let settle: (() => void) | undefined;
  run((error, given) => {
    isOver = true;
    answer = given;
    if (error) failure = { error };
    settle?.();
  });
  if (!isOver)
    return new Promise((resolve, reject) => {
      settle = () => (failure ? reject(failure.error) : resolve(answer));
    });
  if (failure) throw (failure as { error: unknown }).error;
  return answer;
}
