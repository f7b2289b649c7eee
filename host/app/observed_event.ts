import type { RequestContext } from "../http/request.ts";
import type { TraceContext } from "../http/trace_context.ts";

/** A request is about to be routed. `join` of its trace makes log lines and outgoing requests part of a span. */
export interface RequestStarted {
  readonly kind: "request.started";
  readonly trace: TraceContext;
  readonly request: RequestContext;
  /** As of performance.now(). */
  readonly startedAt: number;
}
/** The reply to a request was handed to the connection, or its deadline has passed: once for each request. */
export interface RequestEnded {
  readonly kind: "request.ended";
  readonly trace: TraceContext;
  readonly request: RequestContext;
  readonly method: string;
  /** The pattern of the route, with those of the mount: `/admin/:organization/posts/:id`; undefined where none was found. */
  readonly route: string | undefined;
  readonly status: number;
  readonly milliseconds: number;
}
/** A request that was refused before it was one: its path is malformed, or its host is not served here. */
export interface RequestRefused {
  readonly kind: "request.refused";
  readonly trace: undefined;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
}
/** A statement was answered by the database, or failed there. */
export interface StatementEnded {
  readonly kind: "statement";
  /** That of the request or job it ran for. */
  readonly trace: TraceContext | undefined;
  /** `select`, `insert`, `update`, `delete`, `replace`, `with`, `create`, `alter`, `drop`, or `other`. */
  readonly operation: string;
  /** The first table that it names. There is neither its text nor a value here. */
  readonly table: string | undefined;
  /** `replica` where one of DATABASE_REPLICA_URLS answered. */
  readonly server: "primary" | "replica";
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly failed: boolean;
}
/** A template was rendered; a layout is one of its own. */
export interface TemplateRendered {
  readonly kind: "template";
  readonly trace: TraceContext | undefined;
  readonly file: string;
  readonly startedAt: number;
  readonly milliseconds: number;
}
/** An attempt of a job, by which it is reported. */
export interface ObservedJob {
  /** The job's kind, `mailer.deliver`. */
  readonly job: string;
  readonly id: number | string;
  readonly attempt: number;
}
/** An attempt of a job begins. */
export interface JobStarted extends ObservedJob {
  readonly kind: "job.started";
  readonly trace: TraceContext;
  readonly startedAt: number;
}
/** An attempt of a job ended. */
export interface JobEnded extends ObservedJob {
  readonly kind: "job.ended";
  readonly trace: TraceContext;
  readonly milliseconds: number;
  readonly failed: boolean;
}
/** What the application did, as `hooks.host.observe` reports it. */
export type ObservedEvent =
  | RequestStarted
  | RequestEnded
  | RequestRefused
  | StatementEnded
  | TemplateRendered
  | JobStarted
  | JobEnded;
