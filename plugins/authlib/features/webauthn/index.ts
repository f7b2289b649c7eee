import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import type { AuthlibBase } from "../../base.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import { keyedDigests, table } from "./keys.ts";
import { withPassword } from "./password.ts";
import { withReview } from "./review.ts";
import { withSignUp } from "./sign_up.ts";
import { withPasskeys } from "./steps.ts";

export interface WebauthnOptions {
  /** The host that passkeys are for; that of APP_URL, or of the request, unless told. */
  rpId?: string;
  /** Whether who has a key must show it after the password. */
  secondFactor?: boolean;
  /** False asks who signs in with a passkey for the password or a code as well. */
  countsAsTwoFactors?: boolean;
}
/** What the feature `webauthn` adds. */
export interface WebauthnSteps {
  webauthnSetupPage(): Promise<Reply>;
  submitWebauthnSetup(): Promise<Reply>;
  webauthnAuthPage(): Promise<Reply>;
  submitWebauthnAuth(): Promise<Reply>;
  /** Lists the passkeys that stayed when every other way in was ended: to keep, or to remove. */
  webauthnReviewPage(): Promise<Reply>;
  submitWebauthnReview(): Promise<Reply>;
  /** Asks for the password after a passkey, where that counts as one factor. */
  passwordAuthPage(): Promise<Reply>;
  submitPasswordAuth(): Promise<Reply>;
}

/** Passkeys and security keys: a way to sign in without a password, or the second factor after one. They need JavaScript. */
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
      withSignUp(withReview(withPassword(withPasskeys(Base)))) as AuthlibClass<AuthlibBase & WebauthnSteps>,
  });
}
