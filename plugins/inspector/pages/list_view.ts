import type { RecordedRequest } from "../recording/recorded_request.ts";
import { repeatedStatements } from "./repeated.ts";

/** A request as a line of the list. */
export function listView(request: RecordedRequest, basePath: string) {
  const { id, at, method, path, status, milliseconds, statements, dropped } = request;
  const seconds = Math.max(0, Math.round((Date.now() - at.getTime()) / 1000));
  return {
    url: `${basePath}/_fw/requests/${id}`,
    at,
    method,
    path,
    status,
    tone: toneOf(status),
    seconds,
    minutes: Math.round(seconds / 60),
    time: milliseconds.toFixed(1),
    statements: statements.length + dropped.statements,
    repeated: repeatedStatements(statements).length > 0,
  };
}

/** The colour of a status. */
export const toneOf = (status: number): string =>
  status >= 500 ? "danger" : status >= 400 ? "warning" : status >= 300 ? "info" : "success";
