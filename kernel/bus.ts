import type { Hook, HookInterceptor, Tap } from "tapable";
import { errors } from "./errors.ts";
import type { AnswerRule } from "./support/answer_rule.ts";
import { callingBack, guardAsync, guardSync, isSyncHook, type TapFunction } from "./support/guard.ts";
import { type HookInfo, hookInfo, type TapInfo } from "./support/hook_info.ts";
import { isolated, type Replacement } from "./support/isolated_tap.ts";
import type { KeyedHook } from "./support/keyed_hook.ts";
import { type InPortal, onlyInPortal, type PortalOf } from "./support/portal_tap.ts";
import { TapCalls } from "./support/tap_calls.ts";
import { bothTraces, type TraceTaps, traced } from "./support/trace.ts";

type AnyHook = Hook<unknown[], unknown>;
/** What the owner of hooks declares about their taps, by the name of the hook. */
interface HookRules {
  readonly answers?: Readonly<Record<string, AnswerRule>>;
  readonly isolated?: Readonly<Record<string, Replacement>>;
  readonly portalOf?: Readonly<Record<string, PortalOf>>;
}
/** What its owner declares about the taps of one hook. */
interface HookRule {
  readonly answer?: AnswerRule | undefined;
  readonly replace?: Replacement | undefined;
  readonly portalOf?: PortalOf | undefined;
}

/** The hooks of all slots. It guards every tap, names the plugin in every failure, traces on request, and freezes after boot. */
export class Bus {
  readonly slots = new Map<string, Record<string, AnyHook>>();
  /** The plugin that is being applied; only it may tap, and only under its own name. */
  applying: string | undefined;
  /** The calls of taps: which plugin's run, and how long they may. */
  readonly calls = new TapCalls();
  readonly #owners = new Map<string, string>();
  #frozen = false;
  #taps: TapInfo[] = [];
  #trace: TraceTaps | undefined;

  /** Reports each call of a tap to this function, too: of the hooks that are opened from now on. */
  listen(trace: TraceTaps | undefined): void {
    this.#trace = bothTraces(this.#trace, trace);
  }

  /** Opens a slot's hooks, whose taps are guarded from now on. */
  open(plugin: string, slot: string, hooks: Record<string, unknown>, rules: HookRules = {}): void {
    for (const name of Object.keys({ ...rules.answers, ...rules.isolated, ...rules.portalOf }))
      if (!(name in hooks)) throw errors.FW_HOOKS_SHAPE(plugin, slot, name);
    for (const [name, hook] of Object.entries(hooks)) {
      if (!isHook(hook)) throw errors.FW_HOOKS_SHAPE(plugin, slot, name);
      const [answer, replace, portalOf] = [rules.answers?.[name], rules.isolated?.[name], rules.portalOf?.[name]];
      hook.intercept(this.#guard(`${slot}.${name}`, hook, { answer, replace, portalOf }));
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
    return hookInfo(this.slots, this.#owners, this.taps());
  }

  #guard(label: string, hook: AnyHook, rules: HookRule = {}): HookInterceptor<unknown[], unknown> {
    const { answer: rule, replace, portalOf } = rules;
    const isSync = isSyncHook(hook);
    return {
      register: (tap) => {
        const info = tap as Tap & InPortal & { fn: TapFunction; type: "sync" | "promise" | "async"; stage?: number };
        const { portal } = info;
        this.#check(label, info);
        if (portal !== undefined && !portalOf) throw errors.FW_TAP_PORTAL(label, info.name, portal);
        this.#taps.push({
          hook: label,
          plugin: info.name,
          stage: info.stage ?? 0,
          kind: info.type as "sync" | "promise",
          ...(portal === undefined ? {} : { portal }),
        });
        const mayWait = info.type === "promise";
        const guarded = mayWait
          ? guardAsync(label, info, this.calls, rule)
          : guardSync(label, info, this.calls, { isSync, rule });
        const alone = replace ? isolated(label, info.name, guarded, this.calls, replace) : guarded;
        const reported = this.#trace ? traced(label, info.name, alone, this.#trace) : alone;
        const fn = portal === undefined ? reported : onlyInPortal(reported, portal, portalOf!);
        return (mayWait ? { ...info, type: "async", fn: callingBack(fn) } : { ...info, fn }) as typeof tap;
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

function isHook(value: unknown): value is AnyHook {
  return typeof value === "object" && value !== null && "intercept" in value && "taps" in value;
}
