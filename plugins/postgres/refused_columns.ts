interface Written {
  sql: string;
  bindings?: readonly unknown[];
}

/**
 * The columns of an insert or update that a refused value was for: an error such as `date/time field value out of range:
 * "0000-01-01"` quotes the value, and names none.
 */
export function refusedColumns({ sql, bindings = [] }: Written, message: string): readonly string[] | undefined {
  const value = /"(.*)"/s.exec(message)?.[1];
  const places = bindings.flatMap((bound, index) => (String(bound) === value ? [`$${index + 1}`] : []));
  const columns = places.flatMap((place) => columnAt(sql, place) ?? []);
  return columns.length > 0 ? [...new Set(columns)] : undefined;
}

function columnAt(sql: string, place: string): string | undefined {
  const [, list, rows = ""] = /^insert into "[^(]*" \(([^)]*)\) values \((.*)\)/s.exec(sql) ?? [];
  if (list === undefined) return new RegExp(`"([^"]+)" = \\${place}(?!\\d)`).exec(sql)?.[1];
  const names = list.split(", ");
  const at = rows.split(/\), \(|, /).indexOf(place);
  return at === -1 ? undefined : names[at % names.length]!.slice(1, -1);
}
