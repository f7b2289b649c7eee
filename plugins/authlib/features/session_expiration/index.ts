import { checkOptions, option } from "framewright/kernel";
import type { SignIn } from "../../core/sessions.ts";
import { type AuthlibClass, defineFeature } from "../../feature.ts";

const MINUTE_MS = 60_000;

/** Options of `sessionExpiration()`. */
export interface SessionExpirationOptions {
  /** Minutes without a request after which a sign-in ends. */
  idle?: number;
  /** Minutes after the sign-in at which it ends in any case. */
  lifetime?: number;
}

/** Ends idle or old sign-ins sooner than the browser's session does. */
export function sessionExpiration(options: SessionExpirationOptions = {}) {
  checkOptions("sessionExpiration", options, { idle: option.number, lifetime: option.number });
  return defineFeature({
    name: "session_expiration",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    steps: (Base: AuthlibClass) =>
      class WithExpiration extends Base {
        override isAlive(signIn: SignIn): boolean {
          const { idle = 30, lifetime = 24 * 60 } = this.optionsOf<SessionExpirationOptions>("session_expiration");
          const now = Date.now();
          const isIdle = now - signIn.lastUse.getTime() > idle * MINUTE_MS;
          return !isIdle && now - signIn.createdAt.getTime() <= lifetime * MINUTE_MS && super.isAlive(signIn);
        }
      },
  });
}
