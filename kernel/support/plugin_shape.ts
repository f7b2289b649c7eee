import type { Settings } from "../hooks.ts";
import type { Plugin } from "../plugin.ts";
import type { AnswerRule } from "./answer_rule.ts";
import type { EnvRules } from "./env.ts";
import type { OptionRules } from "./options.ts";
import type { PortalOf } from "./portal_tap.ts";
import type { TraceTaps } from "./trace.ts";

/** What the kernel sees of a plugin, with the slots as plain names. */
export interface PluginShape extends Plugin {
  readonly instances?: true;
  readonly as?: string | undefined;
  readonly instanceOf?: string;
  readonly framewright?: string;
  readonly directory?: string;
  readonly options?: OptionRules;
  readonly given?: object;
  readonly env?: EnvRules;
  readonly requires?: readonly string[];
  readonly uses?: readonly string[];
  readonly provides?: string;
  readonly replaces?: boolean;
  readonly decorates?: string;
  readonly bootWithin?: number;
  readonly closeWithin?: number;
  readonly answers?: Readonly<Record<string, AnswerRule>>;
  readonly portalOf?: Readonly<Record<string, PortalOf>>;
  trace?(settings: Settings): TraceTaps | undefined;
  hooks?(): Record<string, unknown>;
  apply(kernel: object): unknown;
}
