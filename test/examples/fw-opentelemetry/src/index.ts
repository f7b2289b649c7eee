import { type Tracer, trace } from "@opentelemetry/api";
import type {} from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import { Spans } from "./spans.ts";

/** Options of `opentelemetry()`. */
export interface OpenTelemetryOptions {
  /** Starts the spans; the API's global one by default. */
  tracer?: Tracer;
}

/** Requests, statements, templates and jobs as spans. */
export function opentelemetry(options: OpenTelemetryOptions = {}): Plugin {
  checkOptions("fw-opentelemetry", options, { tracer: option.object });
  return definePlugin({
    name: "fw-opentelemetry",
    requires: ["host"],
    apply({ hooks, tap }) {
      const spans = new Spans(options.tracer ?? trace.getTracer("fw-opentelemetry"));
      tap(hooks.host.observe, (event) => spans.record(event));
    },
  });
}
