/**
 * What is under way, each thing in a seat until it is done; the next that comes takes a free one. For what comes and
 * goes with every request. Not a Map or a Set: one that is filled and emptied all the time leaves table after table
 * behind, each with what was in it and a way to the next; once one is old, V8 keeps all that follow until the old are collected.
 */
export class Seats<T extends object> implements Iterable<T> {
  readonly #taken: (T | undefined)[] = [];
  readonly #free: number[] = [];

  /** Gives the seat: what `leave` asks for. */
  take(thing: T): number {
    const seat = this.#free.pop() ?? this.#taken.length;
    this.#taken[seat] = thing;
    return seat;
  }
  /** Does nothing, and gives false, when the thing left before, whoever sits there now. */
  leave(seat: number, thing: T): boolean {
    if (this.#taken[seat] !== thing) return false;
    this.#taken[seat] = undefined;
    this.#free.push(seat);
    return true;
  }
  /** In no order. */
  *[Symbol.iterator](): Iterator<T> {
    for (const thing of this.#taken) if (thing !== undefined) yield thing;
  }
}
