import type { TimeZone } from "framewright/host";
import { errors } from "./errors.ts";

type Part = { readonly text: string } | { readonly period: "year" | "month" } | { readonly digits: number };

/** How numbers are written: texts, periods of time, and the counter. */
export class NumberFormat {
  readonly #parts: readonly Part[];

  /** @throws FW_NUMBERS_FORMAT */
  constructor(column: string, format: string) {
    this.#parts = partsOf(format);
    const counters = this.#parts.filter((part) => "digits" in part);
    if (counters.length !== 1 || this.#parts.some((part) => "text" in part && /[{}]/.test(part.text)))
      throw errors.FW_NUMBERS_FORMAT(column, format);
  }

  /** The period that a moment lies in: the counter begins anew with the next one. */
  periodAt(moment: Date, zone: TimeZone): string {
    const { year, month } = partsAt(moment, zone);
    const has = (period: "year" | "month") => this.#parts.some((part) => "period" in part && part.period === period);
    if (!has("year") && !has("month")) return "";
    return has("month") ? `${year}-${month}` : year;
  }
  /** What all numbers of a moment's period begin with. */
  prefixAt(moment: Date, zone: TimeZone): string {
    const text = this.write(0, moment, zone);
    const before = this.#parts.slice(
      0,
      this.#parts.findIndex((part) => "digits" in part),
    );
    const at = partsAt(moment, zone);
    const length = before
      .map((part) => ("text" in part ? part.text : "period" in part ? at[part.period] : ""))
      .join("").length;
    return text.slice(0, length);
  }
  write(value: number, moment: Date, zone: TimeZone): string {
    const at = partsAt(moment, zone);
    return this.#parts
      .map((part) =>
        "text" in part ? part.text : "period" in part ? at[part.period] : String(value).padStart(part.digits, "0"),
      )
      .join("");
  }
  /** The counter of a number that was written so; undefined for another text. */
  read(number: string, moment: Date, zone: TimeZone): number | undefined {
    const at = partsAt(moment, zone);
    const pattern = this.#parts.map((part) =>
      "text" in part ? escaped(part.text) : "period" in part ? at[part.period] : "(\\d{1,15})",
    );
    const found = new RegExp(`^${pattern.join("")}$`).exec(number);
    return found ? Number(found[1]) : undefined;
  }
}

function partsOf(format: string): Part[] {
  return format
    .split(/(\{year\}|\{month\}|\{0+\})/)
    .filter((part) => part !== "")
    .map((part) => {
      if (part === "{year}" || part === "{month}") return { period: part === "{year}" ? "year" : "month" };
      return /^\{0+\}$/.test(part) ? { digits: part.length - 2 } : { text: part };
    });
}

function partsAt(moment: Date, zone: TimeZone): { year: string; month: string } {
  const [year = "", month = ""] = zone.wallTime(moment).split("-");
  return { year, month };
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
