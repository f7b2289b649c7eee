import { errors } from "../../../errors.ts";
import type { LibraryName, SqliteLibrary } from "./library.ts";
import { libsql } from "./libsql.ts";
import { nodeSqlite } from "./node_sqlite.ts";

/** Node's own library where it is stable, else the package libsql; the one that `wanted` names. @throws FW_SQLITE_MISSING */
export function sqliteLibrary(wanted?: LibraryName): SqliteLibrary {
  const found = (wanted !== "libsql" && nodeSqlite()) || (wanted !== "node" && installedLibsql());
  if (!found) throw errors.FW_SQLITE_MISSING(process.versions.node, wanted);
  return found;
}

function installedLibsql(): SqliteLibrary | undefined {
  try {
    return libsql();
  } catch (error) {
    if ((error as { code?: unknown }).code !== "MODULE_NOT_FOUND") throw error; // of libsql, or of its part for this system
    return undefined;
  }
}
