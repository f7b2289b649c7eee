import type { RequestContext, Session } from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import { sealedCookies } from "./sealed_cookies.ts";

/** Where sessions are kept. A plugin that keeps them as rows fills the same slot. */
export interface Sessions {
  open(request: RequestContext): Session | Promise<Session>;
  /** The Set-Cookie line that keeps the session, or undefined when nothing is to be written. */
  save(session: Session, request: RequestContext): string | undefined | Promise<string | undefined>;
  readonly cookieNames: readonly string[];
}
declare module "framewright/kernel" {
  interface Slots {
    sessions: { service: Sessions };
  }
}

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
