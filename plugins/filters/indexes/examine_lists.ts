import type { Finding } from "framewright/host";
import type { BaseModel, Database, Driver, Query } from "framewright/plugins/database";
import type { Registration, Resources } from "framewright/plugins/resources";
import type { Scoping } from "framewright/plugins/scoping";
import { type ListStatement, listStatements } from "./list_statements.ts";

type StatementPlan = Awaited<ReturnType<NonNullable<Driver["explain"]>>>;

interface Parts {
  readonly database: Database;
  readonly resources: Resources;
  readonly scoping: Scoping | undefined;
}

/** Rows below which reading all of them takes few milliseconds. */
const MANY_ROWS = 5000;
/** Tenants among which the one with the most rows is looked for. */
const MAX_TENANTS = 20;

/** A list with the rows that are stored. */
interface StoredList {
  readonly registration: Registration;
  readonly start: () => Query<BaseModel>;
  readonly rows: number;
  /** The column of the tenant, where rows have one. */
  readonly tenantColumn: string | undefined;
}

/** What `fw doctor --explain` prints: statements of lists that read or sort every row. @see docs/how-to/find-missing-indexes.md */
export async function examineLists(parts: Parts, all: boolean): Promise<Finding[]> {
  const { driver, knex } = parts.database;
  if (!driver.explain)
    return [{ what: "indexes of lists", ok: true, detail: `${driver.name} does not explain statements` }];
  const findings: Finding[] = [];
  let lists = 0;
  for (const registration of parts.resources.registry.all()) {
    if (registration.singular || !registration.model.exists) continue;
    lists++;
    const list = await storedList(parts, registration);
    if (!list || (list.rows < MANY_ROWS && !all)) continue;
    const [sample = {}] = await parts.database.rows(list.start().limit(1).toKnexQuery());
    for (const statement of listStatements(registration, list.start, sample)) {
      const { sql, bindings } = statement.query.toKnexQuery().toSQL();
      const problem = problemOf(list, statement, await driver.explain(knex, sql, bindings));
      if (problem) findings.push(problem);
    }
  }
  const seen = `${lists} lists, ${all ? "of tables of any size" : `those of at least ${MANY_ROWS} rows`}`;
  return [{ what: "indexes of lists", ok: true, detail: `explained the statements of ${seen}` }, ...findings];
}

/** The list without anything chosen: of all rows, or of the tenant that has the most; undefined for a portal without tenants. */
async function storedList({ database, scoping }: Parts, registration: Registration): Promise<StoredList | undefined> {
  const { model, owner } = registration;
  const rule = scoping?.ruleOf(owner);
  if (!scoping || !rule) {
    const start = () => database.query(model.class) as Query<BaseModel>;
    return { registration, start, rows: await database.count(start()), tenantColumn: undefined };
  }
  let list: StoredList | undefined;
  const direct = [...model.associations.values()].find(
    ({ kind, target }) => kind === "belongsTo" && target === rule.entity,
  );
  for (const tenant of await database.query(rule.entity.class).limit(MAX_TENANTS)) {
    const start = () => scoping.query(tenant as BaseModel, model.class) as Query<BaseModel>;
    const rows = await database.count(start());
    if (!list || rows > list.rows) list = { registration, start, rows, tenantColumn: direct?.key.columns[0] };
  }
  return list;
}

function problemOf(list: StoredList, statement: ListStatement, { reads, sorts }: StatementPlan): Finding | undefined {
  const { registration, rows, tenantColumn } = list;
  const { model, owner } = registration;
  const { name, column, kind } = statement;
  const own = reads.filter(({ table }) => table === model.table);
  const isFound = own.every(({ columns, possible = [] }) =>
    column === undefined
      ? columns.some((one) => model.columns.has(one) && one !== tenantColumn)
      : [...columns, ...possible].includes(column),
  );
  if (kind === "order" ? !sorts : isFound) return undefined;
  const what = `${name} of ${model.table} in ${owner ?? "the main application"}`;
  const does = `${kind === "order" ? "sorts" : "reads"} every row, ${rows} of them${tenantColumn ? " in one tenant" : ""}`;
  if (kind === "part of a text")
    return { what, ok: true, detail: `${does}: no index finds a part of a text. ${INSTEAD}` };
  if (column === undefined) return { what, ok: false, detail: `${does}: add an index on the columns that it compares` };
  const columns = [...new Set([tenantColumn ?? column, column])];
  const migration = `fw g fw:migration index_${model.table}_by_${column}`;
  const line = `await db.addIndex("${model.table}", ${JSON.stringify(columns)})`;
  const index = `add an index on (${columns.join(", ")})`;
  return { what, ok: false, detail: `${does}: ${index}, in a migration of ${migration}: ${line}` };
}

const INSTEAD = "Where that takes too long, let the definition search by a query of its own, as in an index of words";
