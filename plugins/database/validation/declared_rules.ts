import type { Transaction } from "objection";

/** The text that each rule may have instead of its own. */
export interface Own {
  /** The model's own text instead of the usual one, or the key of a text: `orders.too_many`. */
  message?: string;
}
export interface LengthRule extends Own {
  minimum?: number;
  maximum?: number;
  is?: number;
}
export interface NumberRule extends Own {
  greaterThan?: number;
  greaterThanOrEqualTo?: number;
  lessThan?: number;
  lessThanOrEqualTo?: number;
  onlyInteger?: boolean;
}
export type ListRule = readonly unknown[] | ({ in: readonly unknown[] } & Own);
/** Returns what is wrong, as a text or the key of one (`rentals.overlap`), or undefined. `record` is the whole record as it will be. */
export type CustomRule = (
  value: never,
  record: never,
  transaction: Transaction,
) => string | undefined | Promise<string | undefined>;

/** The rules of an attribute. All but presence and acceptance let an empty value pass. */
export interface Rules {
  presence?: boolean | Own;
  length?: LengthRule;
  format?: { with: RegExp } & Own;
  numericality?: boolean | NumberRule;
  inclusion?: ListRule;
  exclusion?: ListRule;
  /** `everywhere`: across all tenants on purpose; the boot names a tenant's model that is neither scoped nor declares it. */
  uniqueness?: boolean | ({ scope?: string | readonly string[]; everywhere?: true } & Own);
  acceptance?: boolean | Own;
  custom?: CustomRule | readonly CustomRule[];
}
export const ruleNames = [
  "presence",
  "length",
  "format",
  "numericality",
  "inclusion",
  "exclusion",
  "uniqueness",
  "acceptance",
  "custom",
] as const satisfies readonly (keyof Rules)[];
