/** Lets work run in turns: one piece of each person at a time, a few of all, and whoever waits longest without a turn is next. */
export class PersonTurns {
  readonly #maxRunning: number;
  readonly #maxOfOne: number;
  /** By person, in the order of their last turns: what waits. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #running = new Set<string>();

  constructor({ maxRunning, maxOfOne }: { maxRunning: number; maxOfOne: number }) {
    this.#maxRunning = maxRunning;
    this.#maxOfOne = maxOfOne;
  }

  /** Whether a person has as much that runs or waits as anybody may. */
  isFull(person: string): boolean {
    const running = this.#running.has(person) ? 1 : 0;
    return running + (this.#waiting.get(person)?.length ?? 0) >= this.#maxOfOne;
  }
  /** Resolves with what the work returns. */
  async run<T>(person: string, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.#waiting.set(person, [...(this.#waiting.get(person) ?? []), resolve]);
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#running.delete(person);
      this.#toTheEnd(person);
      this.#next();
    }
  }

  #toTheEnd(person: string): void {
    const waiting = this.#waiting.get(person);
    this.#waiting.delete(person);
    if (waiting) this.#waiting.set(person, waiting);
  }
  #next(): void {
    for (const [person, [begin, ...rest]] of this.#waiting) {
      if (this.#running.size >= this.#maxRunning) return;
      if (this.#running.has(person)) continue;
      if (rest.length > 0) this.#waiting.set(person, rest);
      else this.#waiting.delete(person);
      this.#running.add(person);
      begin?.();
    }
  }
}
