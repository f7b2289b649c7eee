import { notFound } from "framewright/host";
import { type ColumnInfo, parseId } from "framewright/plugins/database";
import type { Registration } from "../registration/registration.ts";

type Key = number | string;
/** Reads what is in sight by the value of a column. */
type Read<T> = (column: string, value: Key) => Promise<T | undefined>;
/** What is read: the value of its column. */
type ColumnValue<T> = (found: T, column: string) => unknown;

const columnOf = ({ model }: Registration, name: string): Pick<ColumnInfo, "type" | "maxLength"> =>
  model.columns.get(name) ?? { type: "integer" };

/**
 * Finds what a segment of a path names: by the column of its model's addresses, and by its id as long as that column is
 * empty. A value that the database takes for equal, but is written otherwise, names nothing. @throws HttpError 404
 */
export async function findNamed<T>(
  registration: Registration,
  text: string | undefined,
  read: Read<T>,
  columnValue: ColumnValue<T>,
): Promise<T> {
  const { paramKey, model } = registration;
  const key = parseId(text ?? "", columnOf(registration, paramKey));
  const found = key === undefined ? undefined : await read(paramKey, key);
  if (found !== undefined && (paramKey === "id" || String(columnValue(found, paramKey)) === text)) return found;
  const id =
    paramKey !== "id" && model.columns.get(paramKey)?.nullable
      ? parseId(text ?? "", columnOf(registration, "id"))
      : undefined;
  const unnamed = id === undefined ? undefined : await read("id", id);
  if (unnamed === undefined || (columnValue(unnamed, paramKey) ?? undefined) !== undefined) throw notFound();
  return unnamed;
}
