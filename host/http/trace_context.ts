import { randomPool } from "../support/random_pool.ts";

const drawTraceId = randomPool(16);
const drawSpanId = randomPool(8);
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;
const MAX_STATE_CHARS = 512;
const MAX_STATE_MEMBERS = 32;
const STATE_MEMBER =
  /^(?:[a-z][\w*/-]{0,255}|[a-z0-9][\w*/-]{0,240}@[a-z][\w*/-]{0,13})=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;

/** The headers that carry a trace, as Node has them: a header that came twice is one text with a comma. */
export interface TraceHeaders {
  readonly traceparent?: string | readonly string[] | undefined;
  readonly tracestate?: string | readonly string[] | undefined;
}
/** The ids of a span that a tracing library started. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/**
 * The trace that a request or a job is part of, in the terms of W3C Trace Context. A `traceparent` that is malformed, or
 * came twice, is ignored, and a trace begins here.
 * @example await fetch(url, { headers: { ...this.request.trace.headers } })
 */
export class TraceContext {
  /** The span of the caller, 16 hexadecimal digits; undefined where the trace begins here. */
  readonly parentId: string | undefined;
  #traceId: string;
  /** Drawn when it is first read: most traces are there for their id alone. */
  #spanId: string | undefined;
  #isSampled: boolean;
  readonly #state: string | undefined;

  constructor(headers: TraceHeaders = {}) {
    const [, version, traceId, parentId, flags, rest] = TRACEPARENT.exec(textOf(headers.traceparent)) ?? [];
    const isRead = version !== undefined && (version !== "00" || rest === undefined);
    this.#traceId = (isRead && traceId) || drawn(drawTraceId, 16, TRACE_ID);
    this.parentId = isRead ? parentId : undefined;
    this.#isSampled = isRead && (Number.parseInt(flags ?? "0", 16) & 1) === 1;
    this.#state = isRead ? stateOf(textOf(headers.tracestate)) : undefined;
  }

  /** 32 hexadecimal digits, the same in every process that works for the first caller. */
  get traceId(): string {
    return this.#traceId;
  }
  /** What this process does in the trace: 16 hexadecimal digits. */
  get spanId(): string {
    this.#spanId ??= drawn(drawSpanId, 8, SPAN_ID);
    return this.#spanId;
  }
  /** Whether the trace is recorded: as the caller set it, or the span of `join`. */
  get isSampled(): boolean {
    return this.#isSampled;
  }
  /** For plugins that start spans: from now on log lines and outgoing requests have the ids of that span. Ids that are not valid, as those of a tracer that is turned off, are ignored. */
  join({ traceId, spanId, isSampled }: SpanIds): void {
    if (!TRACE_ID.test(traceId) || !SPAN_ID.test(spanId)) return;
    this.#traceId = traceId;
    this.#spanId = spanId;
    this.#isSampled = isSampled;
  }

  /** The header `traceparent` of a request that is sent within the trace. */
  get traceparent(): string {
    return `00-${this.#traceId}-${this.spanId}-${this.#isSampled ? "01" : "00"}`;
  }
  /** The headers of a request that is sent within the trace: `traceparent`, and `tracestate` where the caller sent one. */
  get headers(): Readonly<Record<string, string>> {
    const { traceparent } = this;
    return this.#state === undefined ? { traceparent } : { traceparent, tracestate: this.#state };
  }
}

const textOf = (value: string | readonly string[] | undefined): string =>
  typeof value === "string" ? value : (value ?? []).join(",");

/** What other vendors keep in the trace, passed on as it came; dropped whole where it is not well-formed. */
function stateOf(text: string): string | undefined {
  if (text === "" || text.length > MAX_STATE_CHARS) return undefined;
  const members = text.split(",").map((member) => member.trim());
  const filled = members.filter((member) => member !== "");
  if (filled.length === 0 || filled.length > MAX_STATE_MEMBERS) return undefined;
  return filled.every((member) => STATE_MEMBER.test(member)) ? filled.join(",") : undefined;
}

/** Random digits that are a valid id: all zeros stand for none. */
function drawn(draw: (into: Buffer) => void, bytes: number, valid: RegExp): string {
  const into = Buffer.allocUnsafe(bytes);
  for (;;) {
    draw(into);
    const id = into.toString("hex");
    if (valid.test(id)) return id;
  }
}
