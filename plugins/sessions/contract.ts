import type { RequestContext, Session } from "framewright/host";

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
