import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import type { AuthlibBase } from "../../base.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import { keyedDigests, table } from "./passkey_store.ts";
import { withPasskeys } from "./passkeys.ts";
import { withPasswordAfterPasskey } from "./password_after_passkey.ts";
import { withReview } from "./review.ts";
import { withSignUp } from "./sign_up.ts";

/** Options of `webauthn()`. */
export interface WebauthnOptions {
  /** The relying party's id, a host; by default that of APP_URL, else of the request. */
  rpId?: string;
  /** Whether an account with a passkey must use it after the password. */
  secondFactor?: boolean;
  /** False requires the password or a code after a passkey. */
  countsAsTwoFactors?: boolean;
}
/** What the feature `webauthn` adds. */
export interface WebauthnSteps {
  webauthnSetupPage(): Promise<Reply>;
  submitWebauthnSetup(): Promise<Reply>;
  webauthnAuthPage(): Promise<Reply>;
  submitWebauthnAuth(): Promise<Reply>;
  /** Lists the passkeys that stayed when all other credentials were revoked: to keep, or to remove. */
  webauthnReviewPage(): Promise<Reply>;
  submitWebauthnReview(): Promise<Reply>;
  /** Asks for the password after a passkey, where a passkey counts as one factor. */
  passwordAuthPage(): Promise<Reply>;
  submitPasswordAuth(): Promise<Reply>;
}

/** Passkeys and security keys: to sign in without a password, or as the second factor. They need JavaScript. */
export function webauthn(options: WebauthnOptions = {}) {
  const rules = { rpId: option.string, secondFactor: option.boolean, countsAsTwoFactors: option.boolean };
  checkOptions("webauthn", options, rules);
  return defineFeature<WebauthnSteps>({
    name: "webauthn",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables: [table],
    sealed: [keyedDigests],
    owned: [table],
    factors: [table],
    routes: [
      ...form("webauthn-setup", "account", { page: false, verified: true }),
      ...form("webauthn-auth", "anyone", { page: false }),
      ...form("webauthn-review", "account", { linked: false }),
      ...form("password-auth", "anyone", { linked: false }),
    ],
    steps: (Base) =>
      withSignUp(withReview(withPasswordAfterPasskey(withPasskeys(Base)))) as AuthlibClass<AuthlibBase & WebauthnSteps>,
  });
}
