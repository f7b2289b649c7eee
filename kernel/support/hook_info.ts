import type { Hook } from "tapable";

/** One tap, as `fw hooks` prints it. */
export interface TapInfo {
  hook: string;
  plugin: string;
  stage: number;
  kind: "sync" | "promise";
  /** The portal that it is for, where it is for one. */
  portal?: string;
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

type Slots = ReadonlyMap<string, Record<string, Hook<unknown[], unknown>>>;

/** Every hook of all slots, with its owner and its taps. */
export const hookInfo = (slots: Slots, owners: ReadonlyMap<string, string>, taps: readonly TapInfo[]): HookInfo[] =>
  [...slots].flatMap(([slot, hooks]) =>
    Object.entries(hooks).map(([name, hook]) => ({
      hook: `${slot}.${name}`,
      owner: owners.get(slot)!,
      kind: hook.constructor.name,
      arguments: (hook as unknown as { _args: readonly string[] })._args,
      taps: taps.filter((tap) => tap.hook.split("(", 1)[0] === `${slot}.${name}`).map(({ plugin }) => plugin),
    })),
  );
