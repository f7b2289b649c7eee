import type { ModelInfo } from "framewright/plugins/database";
import { historyOf, type KeepFor } from "./options.ts";
import type { HistoryStore } from "./store.ts";

const DAY_MS = 86_400_000;

/** Deletes expired entries, model by model. */
export class Retention {
  readonly #store: HistoryStore;
  readonly #models: () => readonly ModelInfo[];
  readonly #usual: KeepFor | undefined;

  constructor(store: HistoryStore, models: () => readonly ModelInfo[], usual: KeepFor | undefined) {
    this.#store = store;
    this.#models = models;
    this.#usual = usual;
  }

  async prune(now = new Date()): Promise<number> {
    const instant = ({ days }: KeepFor) => new Date(now.getTime() - days * DAY_MS);
    const own: string[] = [];
    let removed = 0;
    for (const model of this.#models()) {
      const declared = historyOf(model);
      const keepFor = declared === false ? undefined : declared.keepFor;
      if (!keepFor) continue;
      own.push(model.constant);
      removed += await this.#store.removeBefore(instant(keepFor), { of: [model.constant] });
    }
    return this.#usual ? removed + (await this.#store.removeBefore(instant(this.#usual), { but: own })) : removed;
  }
}
