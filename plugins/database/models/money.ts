import { type MessageKey, problem } from "../validation/messages.ts";
import type { Problem } from "../validation/validation_error.ts";
import { minorDigits } from "./currency_digits.ts";
import type { BaseModel } from "./model.ts";

/** What was written to a record and could not be understood, until it is validated. Objection leaves out what begins with $. */
interface Refusing {
  $refused?: Record<string, Problem>;
}

const amount = /^([+-]?)(\d{1,15})(?:[.,](\d+))?$/;

/** `"12.34"` → 1234 without floats, or the smallest units of a currency with other decimals; undefined for what is no amount. */
export function toCents(value: unknown, digits = 2): number | undefined {
  const text = typeof value === "number" ? plainNumber(value) : typeof value === "string" ? value.trim() : "";
  const parts = amount.exec(text);
  if (!parts || (parts[3] ?? "").length > digits) return undefined;
  const cents = Number(`${parts[2]}${(parts[3] ?? "").padEnd(digits, "0")}`);
  if (!Number.isSafeInteger(cents)) return undefined;
  return parts[1] === "-" && cents !== 0 ? -cents : cents;
}

const plainNumber = (value: number) => (Number.isFinite(value) ? String(value) : "");

/** 1234 → `"12.34"`, with as many decimals. */
export function fromCents(cents: number | string, digits = 2): string {
  const text = String(cents);
  if (digits === 0) return text;
  const all = text.replace("-", "").padStart(digits + 1, "0");
  return `${text.startsWith("-") ? "-" : ""}${all.slice(0, -digits)}.${all.slice(-digits)}`;
}

/** What is wrong with what is no amount of so many decimals. */
export function moneyProblem(value: unknown, digits: number): { key: MessageKey; vars: Record<string, unknown> } {
  if (digits === 2) return { key: "not_money", vars: {} };
  const isExact = amount.test(String(value).trim());
  return isExact ? { key: "too_many_decimals", vars: { count: digits } } : { key: "not_a_number", vars: {} };
}

/** Gives the class its amounts: properties that read and write whole cents, or the smallest units of their currency. */
export function defineMoney(
  prototype: object,
  { money, currencies }: { money: Record<string, string>; currencies: Record<string, string> },
): void {
  for (const [name, column] of Object.entries(money)) {
    const own = accessor(name, column, minorDigits(currencies[name]));
    Object.defineProperty(prototype, name, { configurable: true, enumerable: false, ...own });
  }
}

function accessor(
  name: string,
  column: string,
  digits: number,
): PropertyDescriptor & ThisType<BaseModel & Refusing & Record<string, unknown>> {
  return {
    get() {
      const cents = this[column];
      return cents === null || cents === undefined ? cents : fromCents(cents as number, digits);
    },
    set(value: unknown) {
      delete this.$refused?.[name];
      if (value === undefined) return;
      if (value === null || value === "") this[column] = null;
      else {
        const cents = toCents(value, digits);
        const { key, vars } = moneyProblem(value, digits);
        if (cents === undefined) this.$refused = { ...this.$refused, [name]: problem(key, vars) };
        else this[column] = cents;
      }
    },
  };
}

/** The amounts that were written to the record and are none. */
export const refusedMoney = (record: BaseModel): Record<string, Problem> => (record as Refusing).$refused ?? {};
