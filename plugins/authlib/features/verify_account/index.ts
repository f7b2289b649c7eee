import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import type { AccountRecord } from "../../account_type.ts";
import { errors } from "../../errors.ts";
import { defineFeature, form } from "../../feature.ts";
import { steps, table } from "./steps.ts";

/** Options of `verifyAccount()`. */
export interface VerifyAccountOptions {
  /** How many days the mailed link is valid. */
  days?: number;
  /** How many days after the last link an unverified account is kept; 0 keeps it forever. */
  keepDays?: number;
  /**
   * How many hours after the sign-up the account may be used without a verified address; 0 requires the verification
   * first. More than 0 reveals to the person who signs up whether an address was free.
   */
  graceHours?: number;
}
/** What the feature `verify_account` adds. */
export interface VerifyAccountSteps {
  verifyAccountPage(): Promise<Reply>;
  submitVerifyAccount(): Promise<Reply>;
  /** Whether an unverified account is in its grace period. */
  isInGrace(account: AccountRecord): boolean;
  /** Deletes old unverified accounts, a few at a time: in a job of each sign-up. */
  sweepUnverified(): Promise<void>;
  /** Called after an account was verified. */
  afterVerifyAccount(account: AccountRecord): Promise<void>;
}

/**
 * Verifies the address of a new account by a mailed link, which then signs in. In another browser than that of the
 * sign-up it asks for a new password: the person who typed the first one may not own the address.
 */
export function verifyAccount(options: VerifyAccountOptions = {}) {
  checkOptions("verifyAccount", options, { days: option.number, keepDays: option.number, graceHours: option.number });
  return defineFeature<VerifyAccountSteps>({
    name: "verify_account",
    directory: import.meta.dirname,
    options,
    requires: ["create_account"],
    tables: [table],
    credentials: [table],
    routes: [...form("verify-account", "anyone")],
    check: ({ name, model }) => {
      const lacks = (options.graceHours ?? 0) > 0 && model.settled && !model.columns.has("created_at");
      if (lacks) throw errors.FW_GRACE_COLUMN(name, model.constant);
    },
    steps,
  });
}
