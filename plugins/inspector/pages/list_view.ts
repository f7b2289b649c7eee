import type { RecordedRequest } from "../recording/recorded_request.ts";
import { repeatedStatements } from "./repeated.ts";

/** A request as a line of the list. */
export function listView(request: RecordedRequest) {
  const { id, at, method, path, status, milliseconds, statements, dropped } = request;
  return {
    url: `/_fw/requests/${id}`,
    ...{ at, method, path, status, tone: toneOf(status) },
    time: milliseconds.toFixed(1),
    statements: statements.length + dropped.statements,
    repeated: repeatedStatements(statements).length > 0,
  };
}

/** The colour of a status. */
export const toneOf = (status: number): string =>
  status >= 500 ? "danger" : status >= 400 ? "warning" : status >= 300 ? "info" : "success";
