import { errors } from "../errors.ts";
import { suggest } from "./suggest.ts";

/** Options of a registry. */
export interface RegistryRules {
  /** Whether `{ replace: true }` takes a name over; true unless told. It words the error. */
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
  readonly #entries = new Map<string, { value: T; owner: string }>();

  /** `what`: what an entry is called, as in "the Liquid filter". `registrant`: the plugin that is being applied. */
  constructor(what: string, registrant: () => string | undefined, { isReplaceable = true, taken }: RegistryRules = {}) {
    this.#what = what;
    this.#registrant = registrant;
    this.#taken = taken ?? ((...clash) => errors.FW_REGISTRY_TAKEN(what, ...clash, isReplaceable));
  }

  /** @throws FW_REGISTRY_TAKEN (or the registry's own) where the name is taken, FW_REGISTRY_NOTHING where `replace` finds nothing to replace */
  add(name: string, value: T, { replace = false }: RegistryOptions = {}): void {
    const owner = this.#registrant() ?? "the application";
    const taken = this.#entries.get(name);
    if (taken && !replace) throw this.#taken(name, taken.owner, owner);
    if (!taken && replace) throw errors.FW_REGISTRY_NOTHING(this.#what, name, owner, suggest(name, this.names()));
    this.#entries.set(name, { value, owner });
  }

  get(name: string): T | undefined {
    return this.#entries.get(name)?.value;
  }
  has(name: string): boolean {
    return this.#entries.has(name);
  }
  /** The plugin that added what stands under a name now. */
  ownerOf(name: string): string | undefined {
    return this.#entries.get(name)?.owner;
  }
  get size(): number {
    return this.#entries.size;
  }
  names(): string[] {
    return [...this.#entries.keys()];
  }
  /** Names and values, in the order in which they were added. */
  *entries(): IterableIterator<[name: string, value: T]> {
    for (const [name, { value }] of this.#entries) yield [name, value];
  }
}
