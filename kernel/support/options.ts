import { errors } from "../errors.ts";
import { describe } from "./error_table.ts";
import { suggest } from "./suggest.ts";

/** How one option is checked: `check` returns whether a value fits, `expected` completes "expected …" when it does not. */
export interface OptionRule<T = unknown> {
  expected: string;
  check(value: unknown): boolean;
  /** Never there: carries the type of the option's value. */
  readonly type?: T;
}
/** The rules of options, by name. */
export type OptionRules = Readonly<Record<string, OptionRule>>;
/** The values of options that fit their rules. */
export type OptionValues<O> = { readonly [K in keyof O]?: O[K] extends OptionRule<infer T> ? T : never };

/** A rule for values of a type of one's own: `rule<Duration>("milliseconds above zero", (value) => …)`. */
export const rule = <T>(expected: string, check: (value: unknown) => boolean): OptionRule<T> => ({ expected, check });

/** The common rules; `rule` makes others. */
export const option = {
  string: rule<string>("a string", (value) => typeof value === "string"),
  boolean: rule<boolean>("true or false", (value) => typeof value === "boolean"),
  number: rule<number>("a number of zero or more", (value) => typeof value === "number" && value >= 0),
  positive: rule<number>("a number above zero", (value) => typeof value === "number" && value > 0),
  object: rule<object>("an object", (value) => typeof value === "object" && value !== null),
  strings: rule<readonly string[]>(
    "a list of strings",
    (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  ),
  oneOf: <const T>(...choices: readonly T[]): OptionRule<T> => ({
    expected: `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`,
    check: (value) => choices.includes(value as T),
  }),
};

/**
 * Checks the options object of a plugin factory: an unknown key is refused with a suggestion, a value of the wrong
 * shape by name.
 * @throws FW_OPTION_UNKNOWN, FW_OPTION_INVALID
 */
export function checkOptions(plugin: string, given: object, rules: OptionRules): void {
  for (const [name, value] of Object.entries(given)) {
    const known = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!known) throw errors.FW_OPTION_UNKNOWN(plugin, name, Object.keys(rules), suggest(name, Object.keys(rules)));
    if (value !== undefined && !known.check(value)) {
      throw errors.FW_OPTION_INVALID(plugin, name, `${known.expected}, got ${describe(value)}`);
    }
  }
}
