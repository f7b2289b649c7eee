import { describe, errors } from "./errors.ts";
import { suggest } from "./support/suggest.ts";

/** How one option is checked: `check` says whether a value fits, `expected` completes "expected …" when it does not. */
export interface OptionRule {
  expected: string;
  check(value: unknown): boolean;
}

/** The common rules; a plugin may write its own. */
export const option = {
  string: { expected: "a string", check: (value) => typeof value === "string" },
  boolean: { expected: "true or false", check: (value) => typeof value === "boolean" },
  number: { expected: "a number of zero or more", check: (value) => typeof value === "number" && value >= 0 },
  object: { expected: "an object", check: (value) => typeof value === "object" && value !== null },
  strings: {
    expected: "a list of strings",
    check: (value) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  },
  oneOf: (...choices: readonly unknown[]): OptionRule => ({
    expected: `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`,
    check: (value) => choices.includes(value),
  }),
} satisfies Record<string, OptionRule | ((...choices: readonly unknown[]) => OptionRule)>;

/**
 * Checks the options object of a plugin factory: an unknown key is refused with a suggestion, a value of the wrong
 * shape by name.
 * @throws FW_OPTION_UNKNOWN, FW_OPTION_INVALID
 */
export function checkOptions(plugin: string, given: object, rules: Record<string, OptionRule>): void {
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) throw errors.FW_OPTION_UNKNOWN(plugin, name, Object.keys(rules), suggest(name, Object.keys(rules)));
    if (value !== undefined && !rule.check(value)) {
      throw errors.FW_OPTION_INVALID(plugin, name, `${rule.expected}, got ${describe(value)}`);
    }
  }
}
