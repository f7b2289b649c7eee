import { distinctPlugins, type Plugin, Registry, suggest } from "framewright/kernel";
import { errors, usage } from "./errors.ts";
import type { Generator, LoadGenerator } from "./generator.ts";
import { installationAliases, installers, ofPlugins } from "./of_plugins.ts";

/**
 * The generators that need no plugin, and those that list the plugins which they need. The others are contributions of
 * their plugins, as those of anyone's: a generator is known while its plugin is listed. Each is loaded on first use.
 */
const builtIn: Readonly<Record<string, LoadGenerator>> = {
  "fw:core:install": () => import("./core/install/generator.ts"),
  "fw:pkg:package": () => import("./pkg/package/generator.ts"),
  "fw:install": () => import("./install/generator.ts"),
  ...installers,
  ...installationAliases,
  "fw:deploy": () => import("./deploy/generator.ts"),
  "fw:plugin": () => import("./plugin/generator.ts"),
};

/** Whether a generator is the framework's and can be loaded by itself. @param listed the names of those whose plugins are listed */
export const needsNoPlugin = (name: string, listed: readonly string[]): boolean =>
  name in builtIn || listed.includes(name);

/**
 * A generator of the framework that needs no plugin, or whose plugin is listed. Its name may omit `fw:`.
 * @param listed the names of those whose plugins are listed
 */
export async function frameworkGenerator(name: string, listed: readonly string[]): Promise<Generator | undefined> {
  const full = [name, `fw:${name}`].find((known) => needsNoPlugin(known, listed));
  return full === undefined ? undefined : (await (builtIn[full] ?? ofPlugins[full]!)()).default;
}

/** All generators of an application: the framework's, and those that its plugins bring. */
export class Generators {
  readonly #registry: Registry<LoadGenerator | Generator>;
  #owner = "framewright";

  /**
   * @param plugins those of the application; without one, the plugins of a new application
   * @throws FW_REGISTRY_TAKEN when two generators have the same name
   */
  constructor(
    plugins: readonly Pick<Plugin, "name" | "generators">[] = [{ name: "framewright", generators: ofPlugins }],
  ) {
    this.#registry = new Registry("the generator", () => this.#owner, { isReplaceable: false });
    for (const [name, load] of Object.entries(builtIn)) this.#registry.add(name, load);
    for (const { name: owner, generators = {} } of distinctPlugins(plugins)) {
      this.#owner = owner;
      for (const [name, load] of Object.entries(generators)) this.#registry.add(name, load);
    }
  }

  names(): string[] {
    return this.#registry.names();
  }

  all(): Promise<Generator[]> {
    return Promise.all(this.names().map((name) => this.#load(name)));
  }

  /** Finds a generator by name; `fw:` may be omitted. */
  async find(name: string): Promise<Generator | undefined> {
    const full = this.names().find((known) => known === name || known === `fw:${name}`);
    return full === undefined ? undefined : this.#load(full);
  }

  async #load(name: string): Promise<Generator> {
    const entry = this.#registry.get(name)!;
    const generator = typeof entry === "function" ? (await entry()).default : entry;
    if (generator?.name !== name) throw errors.FW_GENERATOR_SHAPE(name, this.#registry.ownerOf(name)!);
    return generator;
  }

  unknown(name: string): Error {
    const names = this.names();
    return usage.FW_GENERATOR_UNKNOWN(name, suggest(name, names) ?? suggest(`fw:${name}`, names));
  }
}
