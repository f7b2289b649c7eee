import type { Settings } from "framewright/kernel";
import { type Logger, pino, stdSerializers } from "pino";

export type { Logger };

/** Gets each line of the log, in JSON. */
export type LogListener = (line: string) => void;

/**
 * JSON lines in production, one readable line in development; paths are logged without their query, headers never.
 * In production nobody listens.
 */
export function openLog({ env, logLevel }: Settings, listeners: readonly LogListener[] = []): Logger {
  const serializers = { err: withoutQuery };
  if (env === "production") return pino({ level: logLevel, serializers });
  const write = (line: string) => {
    process.stdout.write(readable(line));
    for (const listen of listeners) listen(line);
  };
  return pino({ level: logLevel, base: null, serializers }, { write });
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
