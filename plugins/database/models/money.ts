import { problem } from "../validation/messages.ts";
import type { Problem } from "../validation/validation_error.ts";
import type { BaseModel } from "./model.ts";

/** What was written to a record and could not be understood, until it is validated. Objection leaves out what begins with $. */
interface Refusing {
  $refused?: Record<string, Problem>;
}

const DECIMAL_PLACES = 2;
const amount = /^([+-]?)(\d{1,15})(?:[.,](\d{1,2}))?$/;

/** `"12.34"` → 1234 without floats; undefined for what is no amount. */
export function toCents(value: unknown): number | undefined {
  const text = typeof value === "number" ? plainNumber(value) : typeof value === "string" ? value.trim() : "";
  const parts = amount.exec(text);
  if (!parts) return undefined;
  const cents = Number(`${parts[2]}${(parts[3] ?? "").padEnd(DECIMAL_PLACES, "0")}`);
  if (!Number.isSafeInteger(cents)) return undefined;
  return parts[1] === "-" && cents !== 0 ? -cents : cents;
}

const plainNumber = (value: number) => (Number.isFinite(value) ? String(value) : "");

/** 1234 → `"12.34"`. */
export function fromCents(cents: number | string): string {
  const text = String(cents);
  const digits = text.replace("-", "").padStart(DECIMAL_PLACES + 1, "0");
  return `${text.startsWith("-") ? "-" : ""}${digits.slice(0, -DECIMAL_PLACES)}.${digits.slice(-DECIMAL_PLACES)}`;
}

/** Gives the class its amounts: properties that read and write whole cents. */
export function defineMoney(prototype: object, money: Record<string, string>): void {
  for (const [name, column] of Object.entries(money)) {
    Object.defineProperty(prototype, name, { configurable: true, enumerable: false, ...accessor(name, column) });
  }
}

function accessor(
  name: string,
  column: string,
): PropertyDescriptor & ThisType<BaseModel & Refusing & Record<string, unknown>> {
  return {
    get() {
      const cents = this[column];
      return cents === null || cents === undefined ? cents : fromCents(cents as number);
    },
    set(value: unknown) {
      delete this.$refused?.[name];
      if (value === undefined) return;
      if (value === null || value === "") this[column] = null;
      else {
        const cents = toCents(value);
        if (cents === undefined) this.$refused = { ...this.$refused, [name]: problem("not_money") };
        else this[column] = cents;
      }
    },
  };
}

/** The amounts that were written to the record and are none. */
export const refusedMoney = (record: BaseModel): Record<string, Problem> => (record as Refusing).$refused ?? {};
