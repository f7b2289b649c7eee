import { definePlugin, type Plugin } from "framewright/kernel";

/** What a tap does instead of its work. */
export type Fault = "throw" | "throw nothing" | "thenable" | "nonsense" | "mutate" | "hang";

/** A hook as the kernel describes it. */
export interface TappedHook {
  readonly hook: string;
  readonly kind: string;
}
interface AnyHook {
  tap(options: object, fn: (...args: unknown[]) => unknown): void;
  tapPromise(options: object, fn: (...args: unknown[]) => Promise<unknown>): void;
}

/** Before every other tap, whose answer would end a hook that takes the first. */
const FIRST = -10_000;

/** A plugin that taps every hook there is, and misbehaves once in the one that it is armed for. */
export class Saboteur {
  /** How often the armed fault was reached. */
  fired = 0;
  #armed: { hook: string; fault: Fault } | undefined;

  arm(hook: string, fault: Fault): void {
    this.fired = 0;
    this.#armed = { hook, fault };
  }
  disarm(): void {
    this.#armed = undefined;
  }

  plugin(tapped: readonly TappedHook[]): Plugin {
    return definePlugin({
      name: "saboteur",
      bootWithin: 400,
      closeWithin: 400,
      apply: ({ hooks }) => {
        for (const { hook, kind } of tapped) {
          const [slot, name] = hook.split(".") as [string, string];
          const found = (hooks as unknown as Record<string, Record<string, AnyHook>>)[slot]![name]!;
          const options = { name: "saboteur", stage: FIRST };
          if (kind.startsWith("Sync")) found.tap(options, (...args) => this.#act(hook, args));
          else found.tapPromise(options, async (...args) => this.#act(hook, args));
        }
      },
    });
  }

  #act(hook: string, args: readonly unknown[]): unknown {
    if (this.#armed?.hook !== hook) return undefined;
    const { fault } = this.#armed;
    this.disarm();
    this.fired += 1;
    return faults[fault](args);
  }
}

const faults: Readonly<Record<Fault, (args: readonly unknown[]) => unknown>> = {
  throw() {
    throw new Error("sabotage");
  },
  "throw nothing"() {
    throw undefined;
  },
  // A query that nobody runs, as builders of queries are.
  thenable: () => ({ [["th", "en"].join("")]: () => undefined }),
  nonsense: () => 42,
  mutate: (args) => args.forEach(empty),
  hang: () => new Promise(() => undefined),
};

/** Empties what is plain data; objects of classes are what taps are meant to work on. */
function empty(given: unknown): void {
  if (Array.isArray(given)) given.splice(0, given.length, 42);
  else if (typeof given === "object" && given !== null && Object.getPrototypeOf(given) === Object.prototype)
    for (const key of Object.keys(given)) (given as Record<string, unknown>)[key] = undefined;
}
