/**
 * Objects in flight, in an array with a free list. Not a Map or a Set: one that every request fills and empties leaks its
 * backing tables into the old generation, and V8 keeps them until the next major collection (test/host/memory.test.ts).
 */
export class InFlight<T extends object> implements Iterable<T> {
  readonly #items: (T | undefined)[] = [];
  readonly #free: number[] = [];

  /** Adds an item and returns its index, which `remove` takes. */
  add(item: T): number {
    const index = this.#free.pop() ?? this.#items.length;
    this.#items[index] = item;
    return index;
  }
  /** Removes an item. Returns false, and changes nothing, when it was removed before: its index may hold another item by now. */
  remove(index: number, item: T): boolean {
    if (this.#items[index] !== item) return false;
    this.#items[index] = undefined;
    this.#free.push(index);
    return true;
  }
  /** In no particular order. */
  *[Symbol.iterator](): Iterator<T> {
    for (const item of this.#items) if (item !== undefined) yield item;
  }
}
