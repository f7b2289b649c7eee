import { suggest } from "framewright/kernel";
import { Drop } from "liquidjs";
import { errors } from "./errors.ts";

export type Helpers = Record<string, (...args: never[]) => unknown>;

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && typeof (value as { toLabel?: unknown }).toLabel === "function";

/** A record in a template: its attributes and getters (money, labels), never its methods, which could write. */
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
    return readable ? toDrop((this.#record as Record<string, unknown>)[name]) : undefined;
  }
}

/** Whether a name is read from the record, rather than being a member of the drop itself. */
export const isRecordAttribute = (name: string | number): boolean => !(name in RecordDrop.prototype);

function isGetter(record: object, name: string): boolean {
  let level: object | null = Object.getPrototypeOf(record) as object | null;
  for (; level !== null && level !== Object.prototype; level = Object.getPrototypeOf(level) as object | null) {
    const property = Object.getOwnPropertyDescriptor(level, name);
    if (property) return property.get !== undefined;
  }
  return false;
}

/** A value as templates see it: records, alone or in a list, wrapped in drops; anything else unchanged. */
export function toDrop(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(isRecord) ? value.map(toDrop) : value;
  return isRecord(value) ? new RecordDrop(value) : value;
}

/** A value as it is output: a record as its label. */
export const printable = (value: unknown): unknown =>
  isRecord(value) ? (value as unknown as { toLabel(): string }).toLabel() : value;

/** The record of a drop, for filters that work on records; any other value unchanged. */
export const unwrap = (value: unknown): unknown => (value instanceof RecordDrop ? value.valueOf() : value);

/** A path helper of the page, own or inherited; never a property of Object.prototype. */
function helperOf(helpers: Helpers, name: string): Helpers[string] | undefined {
  const helper = name in Object.prototype ? undefined : helpers[name];
  return typeof helper === "function" ? helper : undefined;
}
function namesOf(helpers: Helpers): string[] {
  const names: string[] = [];
  for (const name in helpers) names.push(name);
  return names;
}

const NO_VALUES: Readonly<Record<string, unknown>> = Object.freeze(Object.create(null) as Record<string, unknown>);

/** What all templates of a page can read, partials included: its locals, and path helpers without arguments. */
export class PageDrop extends Drop {
  readonly #locals: Readonly<Record<string, unknown>>;
  readonly #assigned: Readonly<Record<string, unknown>>;
  readonly #helpers: Helpers;

  /** Assigned variables take precedence over locals. */
  constructor(locals: Readonly<Record<string, unknown>>, assigned: Readonly<Record<string, unknown>> = NO_VALUES) {
    super();
    this.#locals = locals;
    this.#assigned = assigned;
    this.#helpers = (assigned.helpers ?? locals.helpers ?? {}) as Helpers;
  }

  override liquidMethodMissing(key: string | number): unknown {
    if (key in this.#assigned) return toDrop(this.#assigned[key]);
    if (Object.hasOwn(this.#locals, key)) return toDrop(this.#locals[key]);
    return helperOf(this.#helpers, String(key))?.call(this.#helpers);
  }

  /** Calls a path helper: `{{ post | post_path }}`. */
  static callHelper(page: unknown, name: string, args: readonly unknown[]): unknown {
    const helpers = page instanceof PageDrop ? page.#helpers : {};
    const helper = helperOf(helpers, name);
    if (!helper) throw errors.FW_HELPER_UNKNOWN(name, suggest(name, namesOf(helpers)));
    return helper.call(helpers, ...(args.map(unwrap) as never[]));
  }
}
