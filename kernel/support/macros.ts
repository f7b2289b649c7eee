import { errors, FramewrightError } from "../errors.ts";

/** Makes a word for one object: what `self.<word>` shall be. */
export type MakeWord<Self> = (self: Self) => unknown;

/**
 * The words that plugins add to the objects of a class they do not own: definitions, routes, engines. The owner keeps
 * one table a kernel and puts the words on each object when it is made, never on a prototype.
 */
export class WordTable<Self extends object> {
  readonly #words = new Map<string, { plugin: string; make: MakeWord<Self> }>();

  /** @throws FW_WORD_TAKEN when another plugin added the word */
  add(plugin: string, word: string, make: MakeWord<Self>): void {
    const taken = this.#words.get(word);
    if (taken) throw errors.FW_WORD_TAKEN(word, taken.plugin, plugin);
    this.#words.set(word, { plugin, make });
  }

  put(self: Self): void {
    for (const [word, { plugin, make }] of this.#words) {
      if (word in self) throw errors.FW_WORD_TAKEN(word, self.constructor.name, plugin);
      Object.defineProperty(self, word, { value: make(self), configurable: true, enumerable: false });
    }
  }

  names(): string[] {
    return [...this.#words.keys()];
  }
}

/** Which plugin of the framework adds a word: only for the fix in the error below. */
const providers: Record<string, string> = {
  registerResource: "resources",
  scopeToEntity: "scoping",
  wizard: "wizards",
  registerWizard: "wizards",
};

/**
 * Runs an application's block, and turns a call of a word that nobody added into an error that names it.
 * @throws FW_WORD_UNKNOWN
 */
export function speaking<T>(owner: string, objects: readonly object[], block: () => T): T {
  try {
    return block();
  } catch (error) {
    const word = error instanceof TypeError ? /\.(\w+) is not a function/.exec(error.message)?.[1] : undefined;
    if (word === undefined || error instanceof FramewrightError || objects.every((object) => word in object))
      throw error;
    const unknown = errors.FW_WORD_UNKNOWN(owner, word, providers[word]);
    unknown.cause = error;
    throw unknown;
  }
}
