/** Lets work run one after the other. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves with what the work returns, once what came before has ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
