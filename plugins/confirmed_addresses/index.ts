import { openDigests } from "framewright/host";
import { checkOptions, definePlugin, type OptionRule, type Plugin } from "framewright/kernel";
import { type LimitRule, memoryLimits } from "framewright/plugins/limits";
import type {} from "framewright/plugins/mailer";
import type {} from "framewright/plugins/resources";
import type {} from "framewright/plugins/wizards";
import { Codes } from "./codes.ts";
import { confirmStep, TYPE } from "./confirm_step.ts";
import { confirmedEmail } from "./confirmed_email.ts";
import { codeMailer } from "./mail_code.ts";

declare module "framewright/kernel" {
  interface Slots {
    confirmed_addresses: {};
  }
}
declare module "framewright/plugins/fields" {
  interface FieldTypes {
    /** An address of e-mail that was confirmed by a mailed code; in steps of wizards. */
    confirmed_email: string;
  }
}

/** Options of `confirmedAddresses()`. */
export interface ConfirmedAddressesOptions {
  /** The digits of a code, 6 to 10; 6 by default. */
  digits?: number;
  /** The minutes that a code is valid; 15 by default. */
  minutes?: number;
  /** The wrong codes that end one; 5 by default. */
  attempts?: number;
  /** How many codes are mailed to one address, in all runs; 5 in an hour by default. */
  perAddress?: LimitRule;
  /** How many codes are mailed for one network; 20 in an hour by default. */
  perClient?: LimitRule;
  /** How many codes are mailed for one run; 10 in a day by default. */
  perRun?: LimitRule;
}
const HOUR = 3600;
const wholeNumber = (least: number, most: number): OptionRule => ({
  expected: `a whole number from ${least} to ${most}`,
  check: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
});
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) > 0;
const limit: OptionRule = {
  expected: "{ points, seconds }, whole numbers above zero",
  check: (value) => {
    const { points, seconds } = (value ?? {}) as Partial<LimitRule>;
    return isCount(points) && isCount(seconds);
  },
};

/**
 * Addresses that are confirmed by a mailed code before their step of a wizard is stored.
 * @example steps().step("contact", {}, (f) => f.field("email", { as: "confirmed_email", presence: true }))
 */
export function confirmedAddresses(options: ConfirmedAddressesOptions = {}): Plugin {
  checkOptions("confirmedAddresses", options, {
    digits: wholeNumber(6, 10),
    minutes: wholeNumber(1, 1440),
    attempts: wholeNumber(1, 20),
    perAddress: limit,
    perClient: limit,
    perRun: limit,
  });
  const { digits = 6, minutes = 15, attempts = 5 } = options;
  const {
    perAddress = { points: 5, seconds: HOUR },
    perClient = { points: 20, seconds: HOUR },
    perRun = { points: 10, seconds: 24 * HOUR },
  } = options;
  return definePlugin({
    name: "confirmed_addresses",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "mailer", "resources", "wizards"],
    uses: ["limits"],
    provides: "confirmed_addresses",
    apply({ services, hooks, settings }) {
      const { database, mailer, resources, limits = memoryLimits() } = services;
      const codes = new Codes(database, openDigests(settings, "confirmed addresses"), { digits, attempts });
      const mailCode = codeMailer({ codes, database, limits, mailer, minutes }, { perAddress, perClient, perRun });
      resources.fieldTypes.add(TYPE, confirmedEmail);
      hooks.wizards.sent.tapPromise("confirmed_addresses", (step) => confirmStep({ codes, mailCode }, step));
    },
  });
}
