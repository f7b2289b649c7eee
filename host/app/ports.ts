import type { IncomingMessage, ServerResponse } from "node:http";
import type { Kernel, Slot } from "framewright/kernel";
import type { RequestContext } from "../http/request.ts";
import type { Session } from "../http/session.ts";

// What the host asks of slots that plugins fill: it imports no plugin, so each is a face of its own here.

export interface SessionsFace {
  /** The session of a request; an empty one when it brought none that can be read. */
  open(request: RequestContext): Session | Promise<Session>;
  /** The Set-Cookie line that keeps the session, or undefined when nothing is to be written. */
  save(session: Session, request: RequestContext): string | undefined | Promise<string | undefined>;
  /** The names of the cookies that hold sessions, to tell a request that carries one. */
  readonly cookieNames: readonly string[];
}
export interface ViewFace {
  portal?: string | undefined;
  /** Tried in order; the first that exists is rendered. */
  names: readonly string[];
  layout?: string | undefined;
  locals: Record<string, unknown>;
}
export interface ViewsFace {
  exists(portal: string | undefined, name: string): boolean;
  render(view: ViewFace): string;
  addRoot(root: { directory: string; rank: "application" | "portal" | "plugin" | "framework"; portal?: string }): void;
}
export interface TextsFace {
  t(key: string, vars?: Record<string, unknown>, locale?: string): string;
  has(key: string): boolean;
}
export interface AssetsFace {
  /** Answers the request and says true when the path is an asset's. */
  handle(req: IncomingMessage, res: ServerResponse): boolean;
}
export interface DatabaseFace {
  ping(): Promise<void>;
  /** The error itself, or one that is answered 503 where it came from a database that can't be used now. */
  explain?(error: Error): Error;
  /** Why no request can be served: its tables could not be read at boot, nor since. */
  readonly unready?: Error | undefined;
  /** The names of the migrations that have not run. */
  pendingMigrations?(): Promise<readonly string[]>;
}

interface Faces {
  sessions: SessionsFace;
  views: ViewsFace;
  i18n: TextsFace;
  assets: AssetsFace;
  database: DatabaseFace;
}

/** The filler of a slot that the application may do without. */
export function faceOf<S extends keyof Faces>(kernel: Kernel, slot: S): Faces[S] | undefined {
  const name = slot as unknown as Slot;
  return kernel.has(name) ? (kernel.service(name) as unknown as Faces[S]) : undefined;
}
