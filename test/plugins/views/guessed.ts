import { seeded } from "./generated.ts";

type Thing = Record<string, unknown>;
const values = [`<b>"&'</b>`, "get", "post", "", 0, 7, true, false, null, "2026-11-20 14:05:00.000"];
const THINGS = 40;

/** Locals for templates of which only the texts are known: something under every word that they hold, seldom the right thing. */
export class Guess {
  readonly #next: (most: number) => number;
  readonly #words: readonly string[];
  readonly #things: readonly Thing[];

  constructor(texts: readonly string[], seed: number) {
    this.#next = seeded(seed);
    const code = texts.flatMap((text) => text.match(/\{[{%].*?[%}]\}/gs) ?? []);
    this.#words = [...new Set(code.flatMap((piece) => piece.match(/[a-z_]+/g) ?? []))].sort();
    const flat = this.#many(THINGS, () => this.#thing(() => this.#one(values)));
    this.#things = this.#many(THINGS, () => this.#thing(() => this.#value(flat)));
  }

  locals(): Thing {
    const helpers = new Proxy({}, { get: (_, name) => (record: unknown) => `/${String(name)}?${typeof record}&` });
    return { ...this.#thing(() => this.#value(this.#things)), helpers, icon: "x", request: { locale: "en" } };
  }

  #one<T>(all: readonly T[]): T {
    return all[this.#next(all.length)] as T;
  }
  #many<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }
  #thing(make: () => unknown): Thing {
    return Object.fromEntries(this.#words.map((word) => [word, word === "icon" || word === "sign" ? "x" : make()]));
  }
  #value(things: readonly Thing[]): unknown {
    const way = this.#next(8);
    if (way < 4) return this.#one(values);
    if (way < 6) return this.#one(things);
    return this.#many(this.#next(4), () => (way === 6 ? this.#one(things) : this.#one(values)));
  }
}
