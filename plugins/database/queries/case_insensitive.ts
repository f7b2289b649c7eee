import type { Knex } from "knex";
import { driverOf } from "../drivers/drivers.ts";

/** Narrows to the rows whose column has this value, where the case of letters makes no difference. */
export function whereEqualIgnoringCase(
  query: Knex.QueryBuilder,
  column: string,
  value: string | number,
  knex: Knex,
): void {
  const { whereEqual } = driverOf(knex);
  if (whereEqual) whereEqual(query, column, value);
  else query.where(column, value);
}
