import { InFlight } from "./in_flight.ts";

/** A tap that is awaited. */
export interface RunningTap {
  hook: string;
  plugin: string;
  args: readonly unknown[];
  /** What it was called for, where the layer above knows: its request. */
  context: unknown;
  index: number;
}

/** The calls of taps of a bus: which run, for what, and how long they may. */
export class TapCalls {
  /** Those that are awaited. */
  readonly running = new InFlight<RunningTap>();
  /** The plugin whose tap runs right now, of those that answer at once. */
  current: string | undefined;
  /** Milliseconds that a plugin's awaited taps may take while the application boots or closes; empty in between. */
  readonly deadlines = new Map<string, number>();
  /** Gets what a tap of an isolated hook threw, with the tap's arguments; unset: it is thrown. */
  report: ((error: Error, args: readonly unknown[]) => void) | undefined;
  /** What the code that runs now was entered for, as a request; the layer above knows. */
  context: () => unknown = () => undefined;

  /** The plugin whose tap runs right now, or whose awaited tap was called with the argument and has not ended. */
  tapping(argument: unknown): string | undefined {
    if (this.current !== undefined) return this.current;
    for (const { plugin, args } of this.running) if (args.includes(argument)) return plugin;
    return undefined;
  }

  /** Stops waiting for the taps that were called with such an argument, or for it, and returns their names. */
  abandon(isAbout: (argument: unknown) => boolean): { hook: string; plugin: string }[] {
    const found = [...this.running].filter(({ args, context }) => isAbout(context) || args.some(isAbout));
    for (const call of found) this.running.remove(call.index, call);
    return found.map(({ hook, plugin }) => ({ hook, plugin }));
  }
}
