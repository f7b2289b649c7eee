import { SafeHtml, toHtml } from "framewright/host";
import { Context, Drop, defaultOperators, type Liquid, toValue, toValueSync } from "liquidjs";
import { isRecordAttribute, PageDrop, printable, RecordDrop } from "../drops.ts";
import { ForloopDrop, TablerowDrop } from "./loop_drops.ts";

// Functions that compiled templates call. Each behaves as in liquidjs, without generators where values are plain.

/** An unset variable, as opposed to one with the value undefined. */
export const UNSET: unique symbol = Symbol("unset");
type Operator = (left: unknown, right: unknown) => unknown;

const isThing = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

/** Fast path: most values are plain; drops may return a generator. */
export const settle = (value: unknown): unknown =>
  isThing(value) && typeof (value as { next?: unknown }).next === "function" ? toValueSync(value as never) : value;

/** The value of a drop. */
const plain = (value: unknown): unknown => (isThing(value) ? settle(toValue(value)) : value);

/** A variable that the template set. liquidjs calls functions that it finds in its scopes. */
const variable = (value: unknown): unknown =>
  settle(typeof value === "function" ? (value as () => unknown).call({}) : value);

const truthy = (value: unknown): boolean => {
  const known = isThing(value) ? toValue(plain(value)) : value;
  return known !== false && known !== undefined && known !== null;
};

const operator = (name: string): Operator => {
  const slow = defaultOperators[name] as (left: unknown, right: unknown) => unknown;
  return (left, right) => toValueSync(slow(left, right) as never);
};
const slow = Object.fromEntries(Object.keys(defaultOperators).map((name) => [name, operator(name)]));
const ordered = (name: string, fast: (left: number, right: number) => boolean): Operator => {
  const fallback = slow[name] as Operator;
  return (left, right) =>
    typeof left === "number" && typeof right === "number" ? fast(left, right) : fallback(left, right);
};
const equal: Operator = (left, right) =>
  isThing(left) || isThing(right) ? (slow["=="] as Operator)(left, right) : left === right;

/** By sign. Both sides are always evaluated, as in liquidjs. */
export const operators: Readonly<Record<string, Operator>> = {
  "==": equal,
  "!=": (left, right) => !equal(left, right),
  ">": ordered(">", (left, right) => left > right),
  "<": ordered("<", (left, right) => left < right),
  ">=": ordered(">=", (left, right) => left >= right),
  "<=": ordered("<=", (left, right) => left <= right),
  contains: slow.contains as Operator,
  and: (left, right) => truthy(left) && truthy(right),
  or: (left, right) => truthy(left) || truthy(right),
};

/** The items of a loop. */
function list(given: unknown): readonly unknown[] {
  const value = toValue(given);
  if (Array.isArray(value)) return value;
  if (typeof value === "string" && value !== "") return [value];
  if (!isThing(value)) return [];
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>);
  return Object.keys(value).map((key) => [key, (value as Record<string, unknown>)[key]]);
}

/** A list after `offset`, `limit` and `reversed`. */
function part(all: readonly unknown[], offset: unknown, limit: unknown, reversed: unknown): readonly unknown[] {
  const from = offset === undefined ? all : all.slice(offset as number);
  const some = limit === undefined ? from : from.slice(0, limit as number);
  return reversed === undefined ? some : [...some].reverse();
}

function range(from: unknown, to: unknown): number[] {
  void ((to as number) - (from as number) + 1); // throws like liquidjs for a value that is not a number
  const numbers: number[] = [];
  for (let at = +(from as number); at < +(to as number) + 1; at++) numbers.push(at);
  return numbers;
}

function text(piece: unknown): string {
  const value: unknown = toValue(piece);
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? value.map(text).join("") : String(value);
}

/** The index of the next value of `cycle`. */
function turn(registers: Record<string, number>, group: unknown, names: string, count: number): number {
  const key = `cycle:${group}:${names}`;
  const at = registers[key] ?? 0;
  registers[key] = (at + 1) % count;
  return at;
}

/** `increment` outputs the number before, `decrement` the number after. */
function counted(numbers: Record<string, unknown>, name: string, by: 1 | -1): string {
  const before = typeof numbers[name] === "number" ? (numbers[name] as number) : 0;
  numbers[name] = before + by;
  return String(by === 1 ? before : before - 1);
}

/** A scope object from alternating names and values. */
function scope(entries: readonly unknown[]): Record<string, unknown> {
  const made = Object.create(null) as Record<string, unknown>;
  for (let at = 0; at < entries.length; at += 2)
    if (entries[at + 1] !== UNSET) made[entries[at] as string] = entries[at + 1];
  return made;
}

/** The cells of a `tablerow`. */
function rows(all: readonly unknown[], { offset, limit }: Record<string, unknown>): readonly unknown[] {
  const from = (offset || 0) as number;
  return all.slice(from, from + ((limit === undefined ? all.length : limit) as number));
}

function cell(loop: TablerowDrop): string {
  const row = loop.col0() === 0 ? `${loop.row() === 1 ? "" : "</tr>"}<tr class="row${loop.row()}">` : "";
  return `${row}<td class="col${loop.col()}">`;
}

/** The output of a value: escaped, except for SafeHtml. */
export const escaped = (value: unknown): string =>
  typeof value === "string" || value instanceof SafeHtml
    ? toHtml(value)
    : toHtml(printable(value instanceof Drop ? value.valueOf() : value));

/** Properties that liquidjs computes for any object that lacks them. */
const derived = new Set<string | number>(["size", "first", "last"]);

/** The runtime that all templates of an engine share. */
export function runtimeOf(liquid: Liquid): Readonly<Record<string, unknown>> {
  const still = new Context({}, liquid.options, { sync: true });
  const read = (from: unknown, key: string | number): unknown => {
    if (typeof from === "object" && from !== null && (from as { toLiquid?: unknown }).toLiquid === undefined) {
      if (Array.isArray(from)) {
        if (key === "size" && !Object.hasOwn(from, key)) return from.length;
      } else if (from instanceof Drop) {
        if (from instanceof RecordDrop && isRecordAttribute(key)) return settle(from.liquidMethodMissing(key));
      } else if (Object.hasOwn(from, key)) {
        const value = (from as Record<string | number, unknown>)[key];
        return typeof value === "function" ? settle(value.call(from)) : settle(value);
      } else if (!derived.has(key)) return undefined;
    }
    return settle(still.readProperty(from as never, key as never));
  };
  const page = (drop: PageDrop, name: string): unknown => settle(drop.liquidMethodMissing(name));
  return {
    UNSET,
    settle,
    plain,
    variable,
    truthy,
    list,
    part,
    range,
    text,
    turn,
    counted,
    escaped,
    read,
    page,
    ...{
      scope,
      rows,
      cell,
      ForloopDrop,
      TablerowDrop,
      SafeHtml,
      help: PageDrop.callHelper,
      first: (value: unknown) => value,
    },
    call: callIn(liquid),
  };
}

/** The `this` of a filter that may read the page; its context is created on first access. */
function callIn(liquid: Liquid) {
  return class Call {
    readonly token: unknown;
    readonly #page: PageDrop;
    readonly #scopes: () => object[];
    readonly #numbers: object;
    #context: Context | undefined;

    constructor(token: unknown, page: PageDrop, numbers: object, scopes: () => object[]) {
      this.token = token;
      this.#page = page;
      this.#numbers = numbers;
      this.#scopes = scopes;
    }

    get liquid(): Liquid {
      return liquid;
    }

    get context(): Context {
      if (!this.#context) {
        this.#context = new Context(this.#numbers, liquid.options, { globals: this.#page, sync: true });
        Object.assign(this.#context, { scopes: this.#scopes() });
      }
      return this.#context;
    }
  };
}
