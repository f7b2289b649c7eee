import type { Hook, HookInterceptor, Tap } from "tapable";
import { describe, errors, FramewrightError, messageOf } from "./errors.ts";
import type { AnswerRule } from "./plugin.ts";
import { InFlight } from "./support/in_flight.ts";
import type { KeyedHook } from "./support/keyed_hook.ts";

type AnyHook = Hook<unknown[], unknown>;
type AnswerRules = Readonly<Record<string, AnswerRule>>;
type TapFunction = (...args: unknown[]) => unknown;

/** One traced call of a tap. */
export interface TapCall {
  hook: string;
  plugin: string;
  milliseconds: number;
}
/** A tap that is awaited. */
interface RunningTap {
  hook: string;
  plugin: string;
  args: readonly unknown[];
  index: number;
}
/** One tap, as `fw hooks` prints it. */
export interface TapInfo {
  hook: string;
  plugin: string;
  stage: number;
  kind: "sync" | "promise";
}

/** One hook, as `fw hooks --all` prints it. */
export interface HookInfo {
  hook: string;
  /** The plugin that opened it. */
  owner: string;
  /** Its class, as in SyncBailHook. */
  kind: string;
  arguments: readonly string[];
  /** The plugins that tap it, in the order in which they are called. */
  taps: readonly string[];
}

/** The hooks of all slots. It guards every tap, names the plugin in every failure, traces when asked, and freezes after boot. */
export class Bus {
  readonly slots = new Map<string, Record<string, AnyHook>>();
  /** The plugin that is being applied; only it may tap, and only under its own name. */
  applying: string | undefined;
  /** Milliseconds that a plugin's awaited taps may take while the application boots; empty once it has. */
  readonly bootWithin = new Map<string, number>();
  readonly #running = new InFlight<RunningTap>();
  readonly #owners = new Map<string, string>();
  #frozen = false;
  #taps: TapInfo[] = [];
  #trace: ((call: TapCall) => void) | undefined;

  constructor(trace?: (call: TapCall) => void) {
    this.#trace = trace;
  }

  /** Opens a slot's hooks, whose taps are guarded from now on. */
  open(plugin: string, slot: string, hooks: Record<string, unknown>, rules: AnswerRules = {}): void {
    for (const name of Object.keys(rules)) if (!(name in hooks)) throw errors.FW_HOOKS_SHAPE(plugin, slot, name);
    for (const [name, hook] of Object.entries(hooks)) {
      if (!isHook(hook)) throw errors.FW_HOOKS_SHAPE(plugin, slot, name);
      hook.intercept(this.#guard(`${slot}.${name}`, hook, rules[name]));
      if ("onKey" in hook)
        (hook as unknown as KeyedHook<object, unknown[]>).onKey((key, one) =>
          one.intercept(this.#guard(`${slot}.${name}(${nameOf(key)})`, one as unknown as AnyHook) as never),
        );
    }
    this.#owners.set(slot, plugin);
    this.slots.set(slot, hooks as Record<string, AnyHook>);
  }

  freeze(): void {
    this.#frozen = true;
  }

  /** Every tap, in the order in which each hook calls them. */
  taps(): readonly TapInfo[] {
    return [...this.#taps].sort((a, b) => (a.hook < b.hook ? -1 : a.hook > b.hook ? 1 : a.stage - b.stage));
  }

  /** Every hook, tapped or not, in the order in which their slots were opened. */
  hooks(): HookInfo[] {
    const taps = this.taps();
    return [...this.slots].flatMap(([slot, hooks]) =>
      Object.entries(hooks).map(([name, hook]) => ({
        hook: `${slot}.${name}`,
        owner: this.#owners.get(slot)!,
        kind: hook.constructor.name,
        arguments: (hook as unknown as { _args: readonly string[] })._args,
        taps: taps.filter((tap) => tap.hook.split("(", 1)[0] === `${slot}.${name}`).map(({ plugin }) => plugin),
      })),
    );
  }

  /** Stops waiting for the taps that were called with such an argument, and returns their names. */
  abandon(isAbout: (argument: unknown) => boolean): { hook: string; plugin: string }[] {
    const found = [...this.#running].filter(({ args }) => args.some(isAbout));
    for (const call of found) this.#running.remove(call.index, call);
    return found.map(({ hook, plugin }) => ({ hook, plugin }));
  }

  #guard(label: string, hook: AnyHook, rule?: AnswerRule): HookInterceptor<unknown[], unknown> {
    const isSync = isSyncHook(hook);
    return {
      register: (tap) => {
        const info = tap as Tap & { fn: TapFunction; type: "sync" | "promise" | "async"; stage?: number };
        this.#check(label, info);
        this.#taps.push({
          hook: label,
          plugin: info.name,
          stage: info.stage ?? 0,
          kind: info.type as "sync" | "promise",
        });
        const guarded =
          info.type === "promise"
            ? guardAsync(label, info, { running: this.#running, bootWithin: this.bootWithin, rule })
            : guardSync(label, info, { isSync, rule });
        return { ...info, fn: this.#trace ? traced(label, info.name, guarded, this.#trace) : guarded } as typeof tap;
      },
    };
  }

  #check(label: string, tap: Tap & { type: string }): void {
    if (this.#frozen || this.applying === undefined) throw errors.FW_TAP_LATE(label, tap.name);
    if (tap.name !== this.applying) throw errors.FW_TAP_NAME(label, tap.name, this.applying);
    if (tap.before !== undefined) throw errors.FW_TAP_BEFORE(label, tap.name);
    if (tap.type === "async") throw errors.FW_TAP_CALLBACK(label, tap.name);
  }
}

const nameOf = (key: object): string => (typeof key === "function" ? key.name : String(key));

/** Whether a hook's taps answer at once. By the name of its class: a plugin may bring a tapable of its own. */
export const isSyncHook = (hook: object): boolean => hook.constructor.name.startsWith("Sync");

function isHook(value: unknown): value is AnyHook {
  return typeof value === "object" && value !== null && "intercept" in value && "taps" in value;
}

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

function guardSync(
  label: string,
  { name, fn }: Guarded,
  { isSync, rule }: { isSync: boolean; rule: AnswerRule | undefined },
): TapFunction {
  return (...args) => {
    let answer: unknown;
    try {
      answer = fn(...args);
    } catch (cause) {
      throw failure(label, name, cause);
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

interface AsyncGuard {
  running: InFlight<RunningTap>;
  bootWithin: ReadonlyMap<string, number>;
  rule: AnswerRule | undefined;
}

function guardAsync(label: string, { name, fn }: Guarded, { running, bootWithin, rule }: AsyncGuard): TapFunction {
  return (...args) => {
    const call: RunningTap = { hook: label, plugin: name, args, index: -1 };
    call.index = running.add(call);
    const within = bootWithin.size === 0 ? undefined : bootWithin.get(name);
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

function traced(hook: string, plugin: string, fn: TapFunction, trace: (call: TapCall) => void): TapFunction {
  return (...args) => {
    const start = performance.now();
    const done = () => trace({ hook, plugin, milliseconds: performance.now() - start });
    const answer = fn(...args);
    if (answer instanceof Promise) return answer.finally(done);
    done();
    return answer;
  };
}
