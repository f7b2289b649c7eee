import type { RecordedStatement } from "../recording/recorded_request.ts";

/** The same select this many times within a request is one for each record of a list. */
const MIN_REPEATS = 3;

/** A select that ran several times. */
export interface Repeated {
  readonly sql: string;
  readonly times: number;
  readonly time: string;
  readonly caller: string | undefined;
}

/** The selects that ran again and again with other values: each could be one that reads all of them. */
export function repeatedStatements(statements: readonly RecordedStatement[]): Repeated[] {
  const groups = groupBySql(statements);
  return [...groups]
    .filter(([sql, group]) => group.length >= MIN_REPEATS && /^\s*(?:select|with)\b/i.test(sql))
    .map(([sql, group]) => ({
      sql,
      times: group.length,
      caller: group.find(({ caller }) => caller !== undefined)?.caller,
      time: group.reduce((sum, { milliseconds = 0 }) => sum + milliseconds, 0).toFixed(1),
    }));
}

function groupBySql(statements: readonly RecordedStatement[]): Map<string, RecordedStatement[]> {
  const groups = new Map<string, RecordedStatement[]>();
  for (const one of statements) groups.set(one.sql, [...(groups.get(one.sql) ?? []), one]);
  return groups;
}
