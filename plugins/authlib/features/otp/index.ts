import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { defineFeature, form } from "../../feature.ts";
import { sealedKeys, table } from "./keys.ts";
import { steps } from "./steps.ts";

/** Options of `otp()`. */
export interface OtpOptions {
  /** Whether every account must set up a second factor at its next sign-in. */
  required?: boolean;
  /** The name that authenticator apps show; by default the application's. */
  issuer?: string;
  /** How many wrong codes in a row lock codes for a while: 15 minutes, then 30, an hour, … up to a day. */
  maxAttempts?: number;
}
/** What the feature `otp` adds. */
export interface OtpSteps {
  otpSetupPage(): Promise<Reply>;
  submitOtpSetup(): Promise<Reply>;
  otpAuthPage(): Promise<Reply>;
  submitOtpAuth(): Promise<Reply>;
  /** Where the setup of the app leads. */
  otpSetupRedirect(): string;
}

/** A second factor: codes of an authenticator app (TOTP), each usable once. */
export function otp(options: OtpOptions = {}) {
  checkOptions("otp", options, { required: option.boolean, issuer: option.string, maxAttempts: option.number });
  return defineFeature<OtpSteps>({
    name: "otp",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables: [table],
    sealed: [sealedKeys],
    owned: [table],
    factors: [table],
    routes: [...form("otp-setup", "anyone", { verified: true }), ...form("otp-auth", "anyone", { linked: false })],
    steps,
  });
}
