import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import { errors } from "../../errors.ts";
import { defineFeature, form } from "../../feature.ts";
import type { WebauthnOptions } from "../webauthn/index.ts";
import { keyedCodes, table } from "./digests.ts";
import { steps } from "./steps.ts";

/** Options of `recoveryCodes()`. */
export interface RecoveryCodesOptions {
  /** How many codes are created at once. */
  count?: number;
}
/** What the feature `recovery_codes` adds. */
export interface RecoveryCodesSteps {
  recoveryCodesPage(): Promise<Reply>;
  submitRecoveryCodes(): Promise<Reply>;
}

/** One-time codes for when the second factor is lost. They are shown once, when they are created. */
export function recoveryCodes(options: RecoveryCodesOptions = {}) {
  checkOptions("recoveryCodes", options, { count: option.number });
  return defineFeature<RecoveryCodesSteps>({
    name: "recovery_codes",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    requiresOne: ["otp", "webauthn"],
    check: (type) => {
      const { secondFactor } = (type.features.get("webauthn")?.options ?? {}) as WebauthnOptions;
      if (!type.has("otp") && !secondFactor) throw errors.FW_RECOVERY_CODES(type.name);
    },
    tables: [table],
    sealed: [keyedCodes],
    owned: [table],
    factors: [table],
    routes: [...form("recovery-codes", "anyone", { verified: true })],
    steps,
  });
}
