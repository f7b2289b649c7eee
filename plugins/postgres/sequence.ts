interface Inserted {
  sql: string;
  response?: { command: string; rows: Record<string, unknown>[] };
}
/** A statement with the values of its places. */
export interface Statement {
  sql: string;
  bindings: unknown[];
}

const ADVANCE =
  "select setval(s.sequence, $1::bigint) from (select pg_get_serial_sequence($2, 'id')::regclass as sequence) s where s.sequence is not null and $1::bigint > coalesce(pg_sequence_last_value(s.sequence), 0)";

/**
 * After an insert that brought its ids along: what lets the next id be a higher one, as it is on the other databases. An
 * identity column of PostgreSQL counts what it generated itself, and would give an id that is taken.
 */
export function advance({ sql, response }: Inserted): Statement | undefined {
  if (response?.command !== "INSERT") return undefined;
  const [, table, columns = ""] = /^insert into ("(?:[^"]|"")+"(?:\."(?:[^"]|"")+")?) \(([^)]*)\)/.exec(sql) ?? [];
  if (table === undefined || !columns.split(", ").includes('"id"')) return undefined;
  const ids = response.rows.map(({ id }) => id).filter((id) => typeof id === "number");
  return ids.length > 0 ? { sql: ADVANCE, bindings: [Math.max(...ids), table] } : undefined;
}

const NUMBERED =
  "select a.attname as name from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum left join pg_index x on x.indrelid = a.attrelid and x.indisprimary where a.attrelid = $1::oid and not a.attisdropped and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%') order by (a.attnum = any(x.indkey)) desc nulls last, a.attnum limit 1";

/** What finds the column that the database numbers in a table, of its key first. */
export const numberedColumn = (table: number): Statement => ({ sql: NUMBERED, bindings: [table] });
