import { errors } from "../errors.ts";
import type { PluginShape } from "./plugin_shape.ts";

type HookTable = Readonly<Record<string, unknown>>;
const kindOf = (hook: unknown): string | undefined => (hook as object | undefined)?.constructor.name;

/** @throws FW_HOOKS_MISSING when a plugin lacks a hook of the one that it replaces, or has it as another kind */
export function checkReplaced({ name, provides }: PluginShape, former: HookTable, hooks: HookTable): void {
  for (const [hook, opened] of Object.entries(former)) {
    const kind = kindOf(opened)!;
    if (kindOf(hooks[hook]) !== kind) throw errors.FW_HOOKS_MISSING(name, provides!, hook, kind);
  }
}
