import type { Settings } from "framewright/kernel";
import type { Logger } from "pino";
import { requireDeferring } from "../support/deferred_files.ts";
import { currentTrace } from "./origin.ts";

/** The log is written to stdout: threads that send it elsewhere are not needed. */
const { pino, stdSerializers } = requireDeferring<typeof import("pino")>(import.meta.url, "pino", {
  "pino/lib/transport.js": "one",
  "pino/lib/multistream.js": "one",
});

export type { Logger };

/** Gets each line of the log, in JSON. */
export type LogListener = (line: string) => void;

/**
 * JSON lines in production, one readable line in development; paths are logged without their query, headers never.
 * In production nobody listens. A command writes to stderr: its own output may be JSON.
 */
export function openLog(
  { env, logLevel }: Settings,
  listeners: readonly LogListener[] = [],
  to: "stdout" | "stderr" = "stdout",
): Logger {
  const shared = { level: logLevel, serializers: { err: withoutQuery }, mixin: traceFacts };
  if (env === "production")
    return to === "stdout" ? pino(shared) : pino(shared, { write: (line) => process.stderr.write(line) });
  const write = (line: string) => {
    process[to].write(readable(line));
    for (const listen of listeners) listen(line);
  };
  return pino({ ...shared, base: null }, { write });
}

/** The trace of the code that logs, where it is known: by it the lines of all processes that worked for a request are found. */
function traceFacts(): object {
  const trace = currentTrace();
  return trace ? { trace: trace.traceId } : {};
}

/** Drivers hang the query on an error, with its values in it. */
function withoutQuery(error: Error): object {
  const { sql: _sql, ...shown } = stdSerializers.err(error) as object as { sql?: string };
  return shown;
}

function readable(line: string): string {
  const { level, msg, method, path, status, ms, err } = JSON.parse(line) as Record<string, unknown>;
  if (method !== undefined) return `${String(method).padEnd(6)} ${path} ${status} ${Number(ms).toFixed(1)} ms\n`;
  const stack = (err as { stack?: string } | undefined)?.stack;
  return `${Number(level) >= 40 ? "! " : ""}${msg}${stack ? `\n${stack}` : ""}\n`;
}
