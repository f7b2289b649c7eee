const MAX_LISTS = 50;
/** What was read, then the values that were computed for it so far. */
type List = [read: unknown, ...values: unknown[]];

/** Values of a template that depend on nothing but one value of the page, as its texts do on the locale. */
export class KeptValues {
  readonly #makers: ((read: unknown) => unknown)[] = [];
  readonly #lists = new Map<unknown, List>();

  /** The index of the value in each list. */
  add(make: (read: unknown) => unknown): number {
    return this.#makers.push(make);
  }

  listFor(read: unknown): List {
    let list = this.#lists.get(read);
    if (!list) {
      if (this.#lists.size >= MAX_LISTS) this.#lists.clear();
      list = [read];
      this.#lists.set(read, list);
    }
    return list;
  }

  make(list: List, at: number): unknown {
    return this.#makers[at - 1]!(list[0]);
  }
}
