/** A statement of a log, and the connection that sent it. */
export interface LoggedStatement {
  connection: string;
  sql: string;
}

/** A line of the general log of MariaDB or MySQL that begins an entry: when, connection, command, text. */
const ENTRY = /^(?:\d{6} +\d{1,2}:\d{2}:\d{2}|\d{4}-\d{2}-\d{2}T\S+|\t)?\t\s*(\d+) ([A-Z][A-Za-z ]*)\t(.*)$/;
const RUN = /^(?:Query|Execute)$/;

/** The statements of a general log, or of a file with one statement a line. A prepared statement counts each time it is run. */
export async function* statementsOf(lines: AsyncIterable<string>): AsyncGenerator<LoggedStatement> {
  let open: LoggedStatement | undefined;
  let isLog = false;
  for await (const line of lines) {
    const [, connection, command, text] = ENTRY.exec(line) ?? [];
    if (connection === undefined) {
      if (open) open.sql += `\n${line}`;
      else if (!isLog && /^\s*(?:select|insert|update|delete|replace|begin|commit)\b/i.test(line))
        yield { connection: "", sql: line };
      continue;
    }
    isLog = true;
    if (open) yield open;
    open = RUN.test(command!) ? { connection, sql: text! } : undefined;
  }
  if (open) yield open;
}
