import { checkOptions, option } from "framewright/kernel";
import type { AccountRecord } from "../../account_type.ts";
import { type AuthlibClass, defineFeature } from "../../feature.ts";
import { isCommon } from "./common.ts";

export interface PasswordComplexityOptions {
  /** Characters that a password must have. */
  minimum?: number;
}

/** Refuses passwords that are guessed first: short ones, common ones, and the person's own address. */
export function passwordComplexity(options: PasswordComplexityOptions = {}) {
  checkOptions("passwordComplexity", options, { minimum: option.number });
  return defineFeature({
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
      const name = login.split("@", 1)[0]!;
      return name.length > 3 && password.toLowerCase().includes(name) ? [this.t("password_own")] : [];
    }
  };
}
