import type { IncomingMessage, ServerResponse } from "node:http";
import type { Kernel, Slot } from "framewright/kernel";
import type { RequestContext } from "../http/request.ts";
import type { Session } from "../http/session.ts";

// Ports: what the host needs from slots that plugins fill. Plugins implement them; the host imports no plugin.

export interface SessionsPort {
  /** The session of a request; an empty one when it brought none that can be read. */
  open(request: RequestContext): Session | Promise<Session>;
  /** The Set-Cookie line that stores the session, or undefined when nothing changed. */
  save(session: Session, request: RequestContext): string | undefined | Promise<string | undefined>;
  /** The names of the cookies that hold sessions, to tell a request that carries one. */
  readonly cookieNames: readonly string[];
}
export interface PageView {
  portal?: string | undefined;
  /** Tried in order; the first that exists is rendered. */
  names: readonly string[];
  layout?: string | undefined;
  locals: Record<string, unknown>;
}
export interface ViewsPort {
  exists(portal: string | undefined, name: string): boolean;
  render(view: PageView): string;
  /** Reports each template that is rendered. */
  observe?(listener: (rendered: { readonly file: string; readonly milliseconds: number }) => void): void;
  addRoot(root: { directory: string; rank: "application" | "portal" | "plugin" | "framework"; portal?: string }): void;
}
export interface TextsPort {
  t(key: string, vars?: Record<string, unknown>, locale?: string): string;
  has(key: string, locale?: string, count?: number): boolean;
  /** The application's own locale, and all that it offers to people; without them it is "en", the only one. */
  readonly locale?: string;
  readonly locales?: readonly string[];
}
export interface AssetsPort {
  /** Answers the request and returns true where the path is of an asset. */
  handle(req: IncomingMessage, res: ServerResponse): boolean;
}
export interface DatabasePort {
  ping(): Promise<void>;
  /** Wraps an error of an unavailable database as one that is answered 503; returns every other error unchanged. */
  explain?(error: Error): Error;
  /** Set while no request can be served, because the tables could not be read. */
  readonly unready?: Error | undefined;
  /** A request was answered: what its client reads next has what it wrote. Undefined where nothing is to be done. */
  noteWrites?(request: RequestContext): Promise<void> | undefined;
  /** The names of the migrations that have not run. */
  pendingMigrations?(): Promise<readonly string[]>;
}

interface Ports {
  sessions: SessionsPort;
  views: ViewsPort;
  i18n: TextsPort;
  assets: AssetsPort;
  database: DatabasePort;
}

/** The service of a slot, or undefined where no plugin fills it. */
export function optionalService<S extends keyof Ports>(kernel: Kernel, slot: S): Ports[S] | undefined {
  const name = slot as unknown as Slot;
  return kernel.has(name) ? (kernel.service(name) as unknown as Ports[S]) : undefined;
}
