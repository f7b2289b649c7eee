import { TraceContext } from "framewright/host";
import { assert, describe } from "../support/index.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";
const sent = `00-${traceId}-${spanId}-01`;

describe("The trace of a request", (it) => {
  it("It is the caller's, with a span of its own, and is passed on with the flag and the state that came", () => {
    const trace = new TraceContext({ traceparent: sent, tracestate: "congo=t61rcWkgMzE, rojo=00f067aa0ba902b7" });
    assert.is(trace.traceId, traceId);
    assert.is(trace.parentId, spanId);
    assert.ok(trace.isSampled);
    assert.match(trace.spanId, /^[0-9a-f]{16}$/);
    assert.is.not(trace.spanId, spanId);
    assert.is(trace.traceparent, `00-${traceId}-${trace.spanId}-01`);
    assert.equal(trace.headers, {
      traceparent: trace.traceparent,
      tracestate: "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7",
    });
    assert.not(new TraceContext({ traceparent: sent.replace(/01$/, "00") }).isSampled);
  });
  it("Without a header one begins, of random ids, that nobody records", () => {
    const seen = new Set(Array.from({ length: 1000 }, () => new TraceContext().traceId));
    assert.is(seen.size, 1000);
    const trace = new TraceContext();
    assert.is(trace.parentId, undefined);
    assert.match(trace.traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
  it("A later version is read by its first four fields", () => {
    for (const later of [`cc-${traceId}-${spanId}-01`, `cc-${traceId}-${spanId}-01-what-the-future-brings`])
      assert.is(new TraceContext({ traceparent: later }).traceId, traceId);
  });
  it("A malformed header is ignored, with its state", () => {
    const malformed = [
      "",
      "00",
      `ff-${traceId}-${spanId}-01`,
      `00-${"0".repeat(32)}-${spanId}-01`,
      `00-${traceId}-${"0".repeat(16)}-01`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      `00-${traceId}-${spanId}-1`,
      `00-${traceId}-${spanId}-01-more`,
      `00-${traceId}-${spanId}-0g`,
      `cc-${traceId}-${spanId}-01.more`,
      ` ${sent}`,
      `${sent}\n`,
      `${sent}, ${sent}`,
      `0-${traceId}-${spanId}-01`,
      `00-${traceId.slice(1)}-${spanId}-01`,
    ];
    for (const traceparent of malformed) {
      const trace = new TraceContext({ traceparent, tracestate: "a=1" });
      assert.is.not(trace.traceId, traceId, JSON.stringify(traceparent));
      assert.equal(Object.keys(trace.headers), ["traceparent"], JSON.stringify(traceparent));
    }
    assert.is.not(new TraceContext({ traceparent: [sent, sent] }).traceId, traceId);
  });
  it("A state that is malformed or too long is dropped, and the trace goes on", () => {
    const many = Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(",");
    for (const tracestate of ["", "=1", "a", "A=1", "a=b=c", "a=é", `a=${"x".repeat(600)}`, many]) {
      const trace = new TraceContext({ traceparent: sent, tracestate });
      assert.is(trace.traceId, traceId);
      assert.not("tracestate" in trace.headers, tracestate);
    }
  });
  it("A span of a plugin gives it its ids, unless they are none", () => {
    const trace = new TraceContext();
    trace.join({ traceId, spanId, isSampled: true });
    assert.is(trace.traceparent, sent);
    trace.join({ traceId: "0".repeat(32), spanId: "0".repeat(16), isSampled: false });
    assert.is(trace.traceparent, sent);
  });
});
