import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import { sealedCookies } from "./sealed_cookies.ts";

export type { Sessions } from "./contract.ts";

export interface SessionOptions {
  /** Milliseconds without a request after which a session ends. */
  idle?: number;
  /** Milliseconds after which it ends in any case. */
  absolute?: number;
}
const DAY = 86_400_000;

/** Sessions in a sealed cookie (AES-256-GCM): nothing to look up, nothing to store, nothing to read for a client. */
export function sessions(options: SessionOptions = {}): Plugin {
  checkOptions("sessions", options, { idle: option.number, absolute: option.number });
  const { idle = 14 * DAY, absolute = 60 * DAY } = options;
  return definePlugin({
    name: "sessions",
    provides: "sessions",
    apply: ({ settings }) => sealedCookies(settings, { idle, absolute }),
  });
}
