/** How many streams may be open. */
export interface StreamLimits {
  /** Of this process. */
  readonly streams: number;
  readonly perPerson: number;
  readonly perAddress: number;
}

/** Counts the open streams of a process, of each person and of each address. */
export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #counts = new Map<string, number>();
  #all = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Counts one more; returns what takes it back, undefined where there are as many as there may be. */
  open(person: string, address: string): (() => void) | undefined {
    const { streams, perPerson, perAddress } = this.#limits;
    const places = [
      [`person ${person}`, perPerson],
      [`address ${address}`, perAddress],
    ] as const;
    if (this.#all >= streams || places.some(([place, most]) => (this.#counts.get(place) ?? 0) >= most))
      return undefined;
    this.#all++;
    for (const [place] of places) this.#counts.set(place, (this.#counts.get(place) ?? 0) + 1);
    return () => {
      this.#all--;
      for (const [place] of places) {
        const left = this.#counts.get(place)! - 1;
        if (left > 0) this.#counts.set(place, left);
        else this.#counts.delete(place);
      }
    };
  }
}
