import { AsyncSeriesHook } from "tapable";
import { callHook } from "./call_hook.ts";

/** A hook that may also be tapped for one key alone: `hook.for(Post).tapPromise(…)`. */
export interface KeyedHook<Key extends object, Args extends unknown[]> extends AsyncSeriesHook<Args> {
  /** The hook of one key; its taps run after those of all keys. */
  for(key: Key): AsyncSeriesHook<Args>;
  /** The keys that have a hook of their own, with the names of the plugins that tapped it. */
  keys(): [key: Key, plugins: string[]][];
  /** Whether anything is tapped that hears of a key. */
  isUsedFor(keys: Iterable<Key>): boolean;
  /** Calls what is tapped for all keys, then what is tapped for these; undefined where all of it has answered at once. */
  promiseFor(keys: Iterable<Key>, ...args: Args): Promise<void> | undefined;
  /** The hooks that hear of these keys, that of all keys first. */
  hooksFor(keys: Iterable<Key>): AsyncSeriesHook<Args>[];
  /** What is done with each hook that a key gets; the bus guards it. */
  onKey(prepare: (key: Key, hook: AsyncSeriesHook<Args>) => void): void;
}

/**
 * Opens a hook with keys, which are classes or other objects: `keyedHook<ChangedHook>(["change"])`. Its type may say by the
 * key what the taps of that key get.
 */
export function keyedHook<Hook extends { onKey: unknown }>(names: readonly string[]): Hook {
  return openKeyed(names) as unknown as Hook;
}

type Key = object;
type Args = unknown[];

function openKeyed(names: readonly string[]): KeyedHook<Key, Args> {
  const open = () => new AsyncSeriesHook<Args>(names as never);
  const hooks = new Map<Key, AsyncSeriesHook<Args>>();
  const all = open();
  let prepare: (key: Key, hook: AsyncSeriesHook<Args>) => void = () => undefined;
  const hooksFor = (keys: Iterable<Key>): AsyncSeriesHook<Args>[] => {
    const found = hooks.size === 0 ? [] : [...keys].flatMap((key) => hooks.get(key) ?? []);
    return [all, ...found].filter(({ taps }) => taps.length > 0); // the guard alone makes isUsed() true
  };
  return Object.assign(all, {
    for(key: Key) {
      let hook = hooks.get(key);
      if (!hook) {
        hook = open();
        prepare(key, hook);
        hooks.set(key, hook);
      }
      return hook;
    },
    keys: () => [...hooks].map(([key, { taps }]): [Key, string[]] => [key, taps.map(({ name }) => name)]),
    hooksFor,
    isUsedFor: (keys: Iterable<Key>) => hooksFor(keys).length > 0,
    promiseFor: (keys: Iterable<Key>, ...args: Args) => callInTurn(hooksFor(keys), args),
    onKey(given: typeof prepare) {
      prepare = given;
    },
  });
}

/** Calls hooks one after another. Those whose taps answer at once cost no promise. */
function callInTurn(hooks: readonly AsyncSeriesHook<Args>[], args: Args, from = 0): Promise<void> | undefined {
  for (let at = from; at < hooks.length; at++) {
    const waiting = callHook(hooks[at]!, ...args);
    if (waiting) return at + 1 === hooks.length ? waiting : waiting.then(() => callInTurn(hooks, args, at + 1));
  }
  return undefined;
}
