import type { RequestContext, Session } from "framewright/host";

/** The service of the slot `sessions`. A plugin that stores sessions as rows fills the same slot. */
export interface Sessions {
  open(request: RequestContext): Session | Promise<Session>;
  /** The Set-Cookie header that stores the session, or undefined where nothing changed. */
  save(session: Session, request: RequestContext): string | undefined | Promise<string | undefined>;
  readonly cookieNames: readonly string[];
}
declare module "framewright/kernel" {
  interface Slots {
    sessions: { service: Sessions };
  }
}
