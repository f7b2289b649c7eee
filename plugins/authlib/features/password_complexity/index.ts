import { checkOptions, type OptionRule, option } from "framewright/kernel";
import type { AccountRecord } from "../../account_type.ts";
import { type AuthlibClass, defineFeature } from "../../feature.ts";
import { isCommon } from "./common.ts";
import { type Lookup, runLookup } from "./lookup.ts";
import { isPersonal } from "./personal.ts";

/** Options of `passwordComplexity()`. */
export interface PasswordComplexityOptions {
  /** The least number of characters. */
  minimum?: number;
  /** A further check, as against leaked passwords: runs last, for two seconds at most. */
  isCommon?: Lookup;
}
const lookupRule: OptionRule = {
  expected: "a function that is given a password, and returns or resolves to true or false",
  check: (value) => typeof value === "function",
};

/** Refuses passwords that are too easy to guess: short ones, common ones, and those that consist of the person's own address. */
export function passwordComplexity(options: PasswordComplexityOptions = {}) {
  checkOptions("passwordComplexity", options, { minimum: option.number, isCommon: lookupRule });
  return defineFeature<object>({
    name: "password_complexity",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithComplexity extends Base {
    override get passwordMinimum(): number {
      return this.optionsOf<PasswordComplexityOptions>("password_complexity").minimum ?? 10;
    }
    override async passwordProblems(password: string, account?: AccountRecord): Promise<string[]> {
      const problems = await super.passwordProblems(password, account);
      if (problems.length > 0) return problems;
      if (isCommon(password)) return [this.t("password_common")];
      const login = account ? this.loginOf(account) : this.normalizeLogin(this.param("login") ?? "");
      if (isPersonal(password, login, this.request.t("application.name"))) return [this.t("password_own")];
      const { isCommon: lookup } = this.optionsOf<PasswordComplexityOptions>("password_complexity");
      const isKnown = lookup && (await runLookup(lookup, password, (line) => this.application.log.warn(line)));
      return isKnown ? [this.t("password_common")] : [];
    }
  };
}
