import type { TapFunction } from "./guard.ts";

/** One traced call of a tap. */
export interface TapCall {
  hook: string;
  plugin: string;
  milliseconds: number;
}
/** Is called with each call of a tap. */
export type TraceTaps = (call: TapCall) => void;

/** Reports to both, or to the one that there is. */
export function bothTraces(one: TraceTaps | undefined, other: TraceTaps | undefined): TraceTaps | undefined {
  if (!one || !other) return one ?? other;
  return (call) => {
    one(call);
    other(call);
  };
}

/** Reports each call of a tap with the time that it took, awaited ones until they end. */
export function traced(hook: string, plugin: string, fn: TapFunction, trace: TraceTaps): TapFunction {
  return (...args) => {
    const start = performance.now();
    const done = () => trace({ hook, plugin, milliseconds: performance.now() - start });
    let answer: unknown;
    try {
      answer = fn(...args);
      return answer instanceof Promise ? answer.finally(done) : answer;
    } finally {
      if (!(answer instanceof Promise)) done();
    }
  };
}
