import type { DriverFailure, FailureKind } from "../failure.ts";

/** By the primary code. */
const byCode: ReadonlyMap<string, FailureKind> = new Map([
  ["SQLITE_CANTOPEN", "unavailable"],
  ["SQLITE_IOERR", "unavailable"],
  ["SQLITE_PROTOCOL", "unavailable"],
  ["SQLITE_NOMEM", "unavailable"],
  ["SQLITE_READONLY", "unwritable"],
  ["SQLITE_FULL", "unwritable"],
  ["SQLITE_INTERRUPT", "slow"],
  ["SQLITE_BUSY", "conflict"],
  ["SQLITE_LOCKED", "conflict"],
]);

/** What an error of SQLite is. It waits for its lock by itself before it is busy. */
export function sqliteFailure(error: Error): DriverFailure | undefined {
  const { code, extendedCode, message } = error as Error & { code?: unknown; extendedCode?: unknown };
  if (typeof code !== "string" || !code.startsWith("SQLITE_")) return undefined;
  const kind = byCode.get(/^SQLITE_[A-Z]+/.exec(code)![0]);
  if (kind) return { kind, code, hasWaited: true };
  const found = ofData(message);
  if (found) return { ...found, code };
  return extendedCode === "SQLITE_CONSTRAINT_TRIGGER" ? { kind: "refused", code } : undefined; // by `raise` in a trigger
}

/** `UNIQUE constraint failed: posts.slug, posts.author_id`, `NOT NULL constraint failed: posts.title` */
function ofData(message: string): Pick<DriverFailure, "kind" | "columns" | "constraint"> | undefined {
  const index = /UNIQUE constraint failed: index '(.+)'$/s.exec(message)?.[1]; // of an expression, as lower(email)
  if (index) return { kind: "unique", constraint: index };
  const unique = /UNIQUE constraint failed: (.+)$/s.exec(message)?.[1];
  if (unique) return { kind: "unique", columns: unique.split(",").map((part) => part.trim().replace(/^.*\./, "")) };
  if (message.includes("FOREIGN KEY constraint failed")) return { kind: "foreign_key" };
  const empty = /NOT NULL constraint failed: [^.]+\.(\w+)/.exec(message)?.[1];
  if (empty) return { kind: "blank", columns: [empty] };
  const checked = /CHECK constraint failed: [`"]?(\w+)/.exec(message)?.[1];
  if (checked) return { kind: "inclusion", columns: [checked] };
  return message.includes("no such table") ? { kind: "no_table" } : undefined;
}
