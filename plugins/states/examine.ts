import type { Finding } from "framewright/host";
import type { Database, ModelInfo } from "framewright/plugins/database";
import { type StateMachine, statesOf } from "./state_machine.ts";

/** Rows whose state the model does not know: they were stored before it had states, or a state was removed. */
export async function examineStates(database: Database): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const model of database.models()) {
    const machine = Object.hasOwn(model.class, "states") ? statesOf(model.class) : undefined;
    if (machine && model.settled) findings.push(...(await findingsOf(database, model, machine)));
  }
  return findings;
}

async function findingsOf(database: Database, model: ModelInfo, machine: StateMachine): Promise<Finding[]> {
  const { column, names } = machine;
  const { table, constant } = model;
  const unknown = (await database
    .knex(table)
    .whereNull(column)
    .orWhereNotIn(column, [...names])
    .groupBy(column)
    .select(column)
    .count({ rows: "*" })) as unknown as Record<string, unknown>[];
  if (unknown.length === 0)
    return [{ what: `states of ${constant}`, ok: true, detail: `each row of ${table} has one of ${names.join(", ")}` }];
  const counts = unknown.map(
    (row) => `${Number(row.rows)} ${row[column] === null ? "without one" : `with "${row[column]}"`}`,
  );
  const detail = `rows of ${table} have a ${column} that static states of ${constant} does not name: ${counts.join(", ")}. Add the state, or change the rows by a migration`;
  return [{ what: `states of ${constant}`, ok: false, detail }];
}
