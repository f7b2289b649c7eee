import { suggest } from "framewright/kernel";
import { Drop } from "liquidjs";
import { errors } from "./errors.ts";

export type Helpers = Record<string, (...args: never[]) => unknown>;

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && typeof (value as { toLabel?: unknown }).toLabel === "function";

/** A record in a template: its own attributes and its getters (money, labels), never a method that could write. */
export class RecordDrop extends Drop {
  readonly #record: object;

  constructor(record: object) {
    super();
    this.#record = record;
  }

  override valueOf(): object {
    return this.#record;
  }

  override toString(): string {
    return (this.#record as { toLabel(): string }).toLabel();
  }

  override liquidMethodMissing(key: string | number): unknown {
    const name = String(key);
    if (name.startsWith("$") || name.startsWith("_") || name === "constructor") return undefined;
    if (name === "label") return this.toString();
    const readable = Object.hasOwn(this.#record, name) || isGetter(this.#record, name);
    return readable ? present((this.#record as Record<string, unknown>)[name]) : undefined;
  }
}

/** Whether the drop asks its record for this name, and has nothing of its own under it. */
export const isPlainDrop = (name: string | number): boolean => !(name in RecordDrop.prototype);

function isGetter(record: object, name: string): boolean {
  let level: object | null = Object.getPrototypeOf(record) as object | null;
  for (; level !== null && level !== Object.prototype; level = Object.getPrototypeOf(level) as object | null) {
    const property = Object.getOwnPropertyDescriptor(level, name);
    if (property) return property.get !== undefined;
  }
  return false;
}

/** A value as templates see it: records, alone or in a list, behind a drop; the rest as it is. */
export function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(isRecord) ? value.map(present) : value;
  return isRecord(value) ? new RecordDrop(value) : value;
}

/** What a value looks like where it is put: a record by its label. */
export const printable = (value: unknown): unknown =>
  isRecord(value) ? (value as unknown as { toLabel(): string }).toLabel() : value;

/** What stands behind a drop; a filter that is handed a record works on the record itself. */
export const unwrap = (value: unknown): unknown => (value instanceof RecordDrop ? value.valueOf() : value);

/** A helper of the page, its own or its class's; nothing that every object has. */
function helperOf(helpers: Helpers, name: string): Helpers[string] | undefined {
  const helper = name in Object.prototype ? undefined : helpers[name];
  return typeof helper === "function" ? helper : undefined;
}
function namesOf(helpers: Helpers): string[] {
  const names: string[] = [];
  for (const name in helpers) names.push(name);
  return names;
}

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null) as Record<string, unknown>);

/** What every template of one page can read, partials included: its locals, and path helpers that take nothing. */
export class PageDrop extends Drop {
  readonly #locals: Readonly<Record<string, unknown>>;
  readonly #assigned: Readonly<Record<string, unknown>>;
  readonly #helpers: Helpers;

  /** What a page assigned is seen before its locals. */
  constructor(locals: Readonly<Record<string, unknown>>, assigned: Readonly<Record<string, unknown>> = NOTHING) {
    super();
    this.#locals = locals;
    this.#assigned = assigned;
    this.#helpers = (assigned.helpers ?? locals.helpers ?? {}) as Helpers;
  }

  override liquidMethodMissing(key: string | number): unknown {
    if (key in this.#assigned) return present(this.#assigned[key]);
    if (Object.hasOwn(this.#locals, key)) return present(this.#locals[key]);
    return helperOf(this.#helpers, String(key))?.call(this.#helpers);
  }

  /** Calls a path helper: `{{ post | post_path }}`. */
  static help(page: unknown, name: string, args: readonly unknown[]): unknown {
    const helpers = page instanceof PageDrop ? page.#helpers : {};
    const helper = helperOf(helpers, name);
    if (!helper) throw errors.FW_HELPER_UNKNOWN(name, suggest(name, namesOf(helpers)));
    return helper.call(helpers, ...(args.map(unwrap) as never[]));
  }
}
