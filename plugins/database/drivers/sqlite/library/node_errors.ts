/** The names of SQLite's primary result codes, by their numbers. */
const PRIMARY = [
  ..."OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN".split(
    " ",
  ),
  ..."PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB".split(" "),
];
/** What follows the name of an extended code; only those that are more precise than the message. */
const EXTENDED: Readonly<Record<number, string>> = {
  261: "RECOVERY", // of BUSY
  517: "SNAPSHOT",
  275: "CHECK", // of CONSTRAINT
  787: "FOREIGNKEY",
  1299: "NOTNULL",
  1555: "PRIMARYKEY",
  1811: "TRIGGER",
  2067: "UNIQUE",
};

/** An error of node:sqlite with SQLite's code as its `code`, as "SQLITE_CONSTRAINT_UNIQUE"; every other error unchanged. */
export function withSqliteCode(error: unknown): unknown {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code !== "ERR_SQLITE_ERROR" || typeof errcode !== "number") return error;
  return Object.assign(error as Error, { code: nameOf(errcode) });
}

function nameOf(code: number): string {
  const primary = `SQLITE_${PRIMARY[code & 0xff] ?? "ERROR"}`;
  const more = EXTENDED[code];
  return more === undefined ? primary : `${primary}_${more}`;
}
