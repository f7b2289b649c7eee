import { errors } from "../errors.ts";
import { FramewrightError } from "./error_table.ts";

/** Returns the value of a macro for one object, usually a method bound to it: the value of `self.<macro>`. */
export type MakeMacro<Self> = (self: Self) => unknown;

/**
 * Methods that plugins add to objects of a class that is not theirs: definitions, route sets, engines. The owner of the
 * class keeps one table a kernel and installs the macros on each object when it is created, never on a prototype.
 * @example host.routeMacros.define("clock", "clock", (routes) => (path) => routes.get(path, { to: "clock#show" }));
 */
export class MacroTable<Self extends object> {
  readonly #macros = new Map<string, { plugin: string; make: MakeMacro<Self> }>();

  /** @throws FW_WORD_TAKEN when another plugin defines the macro */
  define(plugin: string, name: string, make: MakeMacro<Self>): void {
    const taken = this.#macros.get(name);
    if (taken) throw errors.FW_WORD_TAKEN(name, taken.plugin, plugin);
    this.#macros.set(name, { plugin, make });
  }

  /** Adds every macro to an object. @throws FW_WORD_TAKEN when the object has a member of that name */
  install(self: Self): void {
    for (const [name, { plugin, make }] of this.#macros) {
      if (name in self) throw errors.FW_WORD_TAKEN(name, self.constructor.name, plugin);
      Object.defineProperty(self, name, { value: make(self), configurable: true, enumerable: false });
    }
  }

  names(): string[] {
    return [...this.#macros.keys()];
  }
}

/**
 * Runs a configuration block. A call to a macro that no plugin defines becomes an error that names it, and the line of
 * `providers` that would: `wizards() of "framewright/plugins/wizards"`.
 * @throws FW_WORD_UNKNOWN
 */
export function withMacroErrors<T>(
  owner: string,
  objects: readonly object[],
  block: () => T,
  providers: Readonly<Record<string, string>> = {},
): T {
  try {
    return block();
  } catch (error) {
    const name = error instanceof TypeError ? /\.(\w+) is not a function/.exec(error.message)?.[1] : undefined;
    if (name === undefined || error instanceof FramewrightError || objects.every((object) => name in object))
      throw error;
    const unknown = errors.FW_WORD_UNKNOWN(owner, name, providers[name]);
    unknown.cause = error;
    throw unknown;
  }
}
