import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import { sealedCookies } from "./sealed_cookies.ts";

export type { Sessions } from "./contract.ts";

/** Options of `sessions()`. */
export interface SessionOptions {
  /** Milliseconds without a request after which a session ends. */
  idle?: number;
  /** Milliseconds after its start at which a session ends in any case. */
  absolute?: number;
}
const DAY_MS = 86_400_000;

/** Sessions in an encrypted cookie (AES-256-GCM): no database query, and unreadable for clients. */
export function sessions(options: SessionOptions = {}): Plugin {
  checkOptions("sessions", options, { idle: option.number, absolute: option.number });
  const { idle = 14 * DAY_MS, absolute = 60 * DAY_MS } = options;
  return definePlugin({
    name: "sessions",
    provides: "sessions",
    apply: ({ settings }) => sealedCookies(settings, { idle, absolute }),
  });
}
