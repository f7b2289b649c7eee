import { basename } from "node:path";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type {
  JobStarted,
  ObservedEvent,
  RequestEnded,
  RequestStarted,
  StatementEnded,
  TemplateRendered,
  TraceContext,
} from "framewright/host";

/** A request or job that runs: its span, and the context that spans within it belong to. */
interface Running {
  readonly span: Span;
  readonly context: Context;
}
/** Something that ended: a statement, a template. */
interface Ended {
  readonly trace: TraceContext | undefined;
  readonly startedAt: number;
  readonly milliseconds: number;
}

/** An instant of performance.now() as the milliseconds since 1970 that spans take. */
const instant = (at: number): number => performance.timeOrigin + at;
const operationName = (operation: string, table: string | undefined): string =>
  table === undefined ? operation : `${operation} ${table}`;

/** Turns what an application reports into spans. */
export class Spans {
  readonly #tracer: Tracer;
  readonly #running = new WeakMap<TraceContext, Running>();

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  record(event: ObservedEvent): void {
    if (event.kind === "request.started") this.#beginRequest(event);
    else if (event.kind === "request.ended") this.#endRequest(event);
    else if (event.kind === "job.started") this.#beginJob(event);
    else if (event.kind === "job.ended") this.#end(event.trace, event.failed);
    else if (event.kind === "statement") this.#addStatement(event);
    else if (event.kind === "template") this.#addTemplate(event);
  }

  #beginRequest(event: RequestStarted): void {
    const { method } = event.request;
    this.#begin(event, method, SpanKind.SERVER, { "http.request.method": method });
  }
  #beginJob(event: JobStarted): void {
    const { job, id } = event;
    const attributes = { "messaging.destination.name": job, "messaging.message.id": String(id) };
    this.#begin(event, `job ${job}`, SpanKind.CONSUMER, attributes);
  }
  #addStatement(event: StatementEnded): void {
    const { operation, table, failed } = event;
    const attributes = { "db.operation.name": operation, ...(table && { "db.collection.name": table }) };
    this.#add(event, operationName(operation, table), SpanKind.CLIENT, attributes, failed);
  }
  #addTemplate(event: TemplateRendered): void {
    const { file } = event;
    this.#add(event, `render ${basename(file)}`, SpanKind.INTERNAL, { "code.file.path": file });
  }

  /** Starts the span of a request or job, and lets log lines and outgoing requests have its ids. */
  #begin({ trace: own, startedAt }: RequestStarted | JobStarted, name: string, kind: SpanKind, attributes: Attributes) {
    const parent = contextOfCaller(own);
    const span = this.#tracer.startSpan(name, { kind, attributes, startTime: instant(startedAt) }, parent);
    const { traceId, spanId, traceFlags } = span.spanContext();
    own.join({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 });
    this.#running.set(own, { span, context: trace.setSpan(parent, span) });
  }

  #endRequest({ trace: own, method, route, status }: RequestEnded): void {
    const span = this.#running.get(own)?.span;
    span?.setAttribute("http.response.status_code", status);
    if (route !== undefined) span?.setAttribute("http.route", route).updateName(`${method} ${route}`);
    this.#end(own, status >= 500);
  }
  #end(own: TraceContext, failed: boolean): void {
    const span = this.#running.get(own)?.span;
    if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  }

  #add(ended: Ended, name: string, kind: SpanKind, attributes: Attributes, failed = false): void {
    const { trace: own, startedAt, milliseconds } = ended;
    const context = (own && this.#running.get(own)?.context) ?? ROOT_CONTEXT;
    const span = this.#tracer.startSpan(name, { kind, attributes, startTime: instant(startedAt) }, context);
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(instant(startedAt + milliseconds));
  }
}

/** What a caller's `traceparent` says, as the parent of spans here. */
function contextOfCaller({ traceId, parentId, isSampled }: TraceContext): Context {
  if (parentId === undefined) return ROOT_CONTEXT;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: parentId, traceFlags, isRemote: true });
}
