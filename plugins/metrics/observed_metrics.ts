import type { ObservedEvent } from "framewright/host";
import type { Registry } from "prom-client";

type Client = typeof import("prom-client");

/** Seconds: from a statement on the same machine to a request near its deadline. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STATEMENT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const JOB_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800];
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** The route of a request that none was found for: never its path, of which there is no end. */
const NO_ROUTE = "(none)";
const MALFORMED = "(malformed)";

/** Counts what is observed. Labels have as many values as there are routes, kinds of jobs and statuses. */
export function observeEvents(client: Client, registry: Registry): (event: ObservedEvent) => void {
  const measured = measures(client, [registry]);
  const request = (method: string, route: string, status: number, milliseconds: number) => {
    const labels = { method: METHODS.has(method) ? method : "other", route };
    measured.requests.inc({ ...labels, status });
    measured.requestSeconds.observe(labels, milliseconds / 1000);
  };
  return (event) => {
    switch (event.kind) {
      case "request.started":
        return measured.inFlight.inc();
      case "request.ended":
        measured.inFlight.dec();
        return request(event.method, event.route ?? NO_ROUTE, event.status, event.milliseconds);
      case "request.refused":
        return request(event.method, MALFORMED, event.status, event.milliseconds);
      case "statement":
        measured.statements.inc({
          operation: event.operation,
          failed: String(event.failed),
          server: event.server,
        });
        return measured.statementSeconds.observe({ operation: event.operation }, event.milliseconds / 1000);
      case "job.ended":
        measured.attempts.inc({ kind: event.job, outcome: event.failed ? "failed" : "done" });
        return measured.jobSeconds.observe({ kind: event.job }, event.milliseconds / 1000);
      default:
        return undefined;
    }
  };
}

function measures({ Counter, Gauge, Histogram }: Client, registers: Registry[]) {
  return {
    requests: new Counter({
      name: "fw_http_requests_total",
      help: "Requests, by the pattern of their route",
      labelNames: ["method", "route", "status"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "fw_http_request_duration_seconds",
      help: "Seconds from a request's arrival to its reply",
      labelNames: ["method", "route"],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    inFlight: new Gauge({ name: "fw_http_requests_in_flight", help: "Requests that are being answered", registers }),
    statements: new Counter({
      name: "fw_database_statements_total",
      help: "Statements sent to the database",
      labelNames: ["operation", "failed", "server"],
      registers,
    }),
    statementSeconds: new Histogram({
      name: "fw_database_statement_duration_seconds",
      help: "Seconds that statements took",
      labelNames: ["operation"],
      buckets: STATEMENT_BUCKETS,
      registers,
    }),
    attempts: new Counter({
      name: "fw_job_attempts_total",
      help: "Attempts of jobs that ended",
      labelNames: ["kind", "outcome"],
      registers,
    }),
    jobSeconds: new Histogram({
      name: "fw_job_duration_seconds",
      help: "Seconds that attempts of jobs took",
      labelNames: ["kind"],
      buckets: JOB_BUCKETS,
      registers,
    }),
  };
}
