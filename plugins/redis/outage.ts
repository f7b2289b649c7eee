/** The time in which a connection is lost: commands wait meanwhile, as long as it may be a restart. */
export class Outage {
  readonly #until: number;
  readonly #over: Promise<void>;
  end: () => void = () => undefined;

  /** `longest`: milliseconds after which nothing waits for its end any more. */
  constructor(longest: number) {
    this.#until = performance.now() + longest;
    this.#over = new Promise((resolve) => {
      this.end = resolve;
    });
  }
  get isLong(): boolean {
    return performance.now() >= this.#until;
  }
  /** Resolves when the connection is back, or when it is not to be waited for any longer. */
  async wait(until: number): Promise<void> {
    const limit = Math.min(until, this.#until) - performance.now();
    if (limit <= 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limit);
    });
    await Promise.race([this.#over, late]);
    clearTimeout(timer);
  }
}
