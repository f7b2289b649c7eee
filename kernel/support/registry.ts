import { errors } from "../errors.ts";
import { suggest } from "./suggest.ts";

/** Options of a registry. */
export interface RegistryRules {
  /** Whether `{ replace: true }` takes a name over; true by default. The error mentions it. */
  isReplaceable?: boolean;
  /** The error where a name is taken, in place of FW_REGISTRY_TAKEN. */
  taken?: (name: string, first: string, second: string) => Error;
}
/** Options of `add`. */
export interface RegistryOptions {
  /** Takes over what another plugin added under the name. */
  replace?: boolean;
}

/**
 * What plugins add under names, each with the plugin that added it: two that add the same name are refused in one sentence
 * that names both.
 * @example const filters = new Registry<Filter>("the Liquid filter", registrant); filters.add("shout", shout);
 */
export class Registry<T> {
  readonly #what: string;
  readonly #registrant: () => string | undefined;
  readonly #taken: NonNullable<RegistryRules["taken"]>;
  /**
   * Two maps, not one of objects: V8 takes objects that are created at a place where most live long, as they do at boot, into its
   * old generation, and with those of a request the whole request, until the next major collection.
   */
  readonly #values = new Map<string, T>();
  readonly #owners = new Map<string, string>();

  /** `what`: what an entry is called, as in "the Liquid filter". `registrant`: the plugin that is being applied. */
  constructor(what: string, registrant: () => string | undefined, { isReplaceable = true, taken }: RegistryRules = {}) {
    this.#what = what;
    this.#registrant = registrant;
    this.#taken = taken ?? ((...clash) => errors.FW_REGISTRY_TAKEN(what, ...clash, isReplaceable));
  }

  /** @throws FW_REGISTRY_TAKEN (or the registry's own) where the name is taken, FW_REGISTRY_NOTHING where `replace` finds nothing to replace */
  add(name: string, value: T, { replace = false }: RegistryOptions = {}): void {
    const owner = this.#registrant() ?? "the application";
    const first = this.#owners.get(name);
    if (first !== undefined && !replace) throw this.#taken(name, first, owner);
    if (first === undefined && replace)
      throw errors.FW_REGISTRY_NOTHING(this.#what, name, owner, suggest(name, this.names()));
    this.#values.set(name, value);
    this.#owners.set(name, owner);
  }

  get(name: string): T | undefined {
    return this.#values.get(name);
  }
  has(name: string): boolean {
    return this.#values.has(name);
  }
  /** The plugin that added the present entry of a name. */
  ownerOf(name: string): string | undefined {
    return this.#owners.get(name);
  }
  get size(): number {
    return this.#values.size;
  }
  names(): string[] {
    return [...this.#values.keys()];
  }
  /** Names and values, in the order in which they were added. */
  entries(): IterableIterator<[name: string, value: T]> {
    return this.#values.entries();
  }
}
