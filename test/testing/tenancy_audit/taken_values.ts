import type { RouteInfo } from "framewright/host";
import { driverOf, fieldOf, type ModelInfo } from "framewright/plugins/database";
import type { Registration } from "framewright/plugins/resources";
import { jsonBody, ownValues } from "./bodies.ts";
import type { Person } from "./people.ts";
import { nameOf } from "./portal_audit.ts";
import type { MarkedRecords } from "./records.ts";
import type { AuditRow } from "./report.ts";
import { RouteTargets } from "./targets.ts";
import type { Answer } from "./visitor.ts";
import type { PortalParts } from "./wizard_walk.ts";

type Values = Record<string, unknown>;
/** Columns of which no two rows may have the same values, and the field that people know the first by. */
interface UniqueFields {
  readonly field: string;
  readonly columns: readonly string[];
}

/**
 * Finds rules and indexes of uniqueness that tell a tenant what another has: own values are sent to each route that creates or
 * changes a record, with those of the other's record in the fields of one rule. An answer that has a problem with that field,
 * and with own values has none, is a leak. `uniqueness: { everywhere: true }` allows it.
 */
export async function findTaken(parts: PortalParts, routes: readonly RouteInfo[]): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for (const route of routes.filter(({ to, verb }) => /#(create|update)$/.test(to) && verb !== "PUT")) {
    const targets = new RouteTargets({ ...parts.world, rule: parts.rule, tokens: new Map() }, route);
    const { registration } = targets;
    if (!registration || registration.model === parts.rule.entity) continue;
    const { all } = await parts.world.people.of(route.account);
    const [target] = (await targets.fill(parts.side, "own")).targets;
    const unique = await uniqueAcrossTenants(parts.world.records, registration.model);
    for (const fields of target ? unique : [])
      for (const person of all.filter(({ member }) => member === parts.side)) {
        const row = await tryValues(parts, { route, registration, path: target!.path, person }, fields);
        if (row) rows.push(row);
        if (row?.leaks) break;
      }
  }
  return rows;
}

interface Tried {
  readonly route: RouteInfo;
  readonly registration: Registration;
  readonly path: string;
  readonly person: Person;
}

async function tryValues(
  { world, rule, side }: PortalParts,
  { route, registration, path, person }: Tried,
  { field, columns }: UniqueFields,
): Promise<AuditRow | undefined> {
  world.signal?.throwIfAborted();
  const { records, recorder, snapshot } = world;
  const theirs = side === "a" ? "b" : "a";
  const taken = (await records.get(registration.model, theirs)) as unknown as Values | undefined;
  if (!taken || columns.some((column) => taken[column] === null || taken[column] === undefined)) return undefined;
  const own = await ownValues(registration, records, side);
  const send = async (values: Values): Promise<Answer> => {
    const { type, text } = jsonBody({ [registration.key]: values });
    const sent = { method: route.verb, url: path, accept: "application/json", type, body: text };
    const answer = await person.visitor.send(sent, { [recorder.tenantHeader]: side });
    await snapshot.compare(theirs); // what was created with the other's values is removed
    return answer;
  };
  const [free, found] = [
    await send(own),
    await send({ ...own, ...Object.fromEntries(columns.map((name) => [name, taken[name]])) }),
  ];
  const leaks = hasProblem(found, field) && !hasProblem(free, field);
  const row = { portal: rule.engine.name, route: nameOf(route), as: person.label, attempt: "own records" as const };
  const problem = `the answer has a problem with "${field}" where another tenant has the value: unique across tenants`;
  return {
    ...{ ...row, url: `${route.verb} ${path} with ${field} of the other tenant`, status: found.status },
    ...{ mayEnter: true, leaks, ...(leaks ? { problem } : {}) },
  };
}

/** Whether an answer refuses a field. */
function hasProblem({ status, text }: Answer, field: string): boolean {
  if (status !== 422 && status !== 409) return false;
  try {
    const { errors = {} } = JSON.parse(text) as { errors?: Record<string, unknown> };
    return field in errors;
  } catch {
    return false;
  }
}

/** The rules and the unique indexes of a model's table that its tenant is no part of, and that do not allow it on purpose. */
async function uniqueAcrossTenants({ database, exclusive, entity }: MarkedRecords, model: ModelInfo) {
  const { knex } = database;
  const indexes = (await driverOf(knex).tables.uniques(knex, model.table)).map(({ columns }) => columns);
  const rules = Object.entries(model.class.validations).flatMap(([name, { uniqueness }]) => {
    const scope = typeof uniqueness === "object" ? [uniqueness.scope ?? []].flat() : [];
    return uniqueness ? [[name, ...scope].flatMap((one) => model.columnsOf(one))] : [];
  });
  const leading = new Set(
    [...model.associations.values()]
      .filter(({ kind, target }) => kind === "belongsTo" && (target === entity || exclusive.includes(target)))
      .flatMap(({ key }) => key.columns),
  );
  const isAcross = (columns: readonly string[]) =>
    columns.every((name) => name !== model.primaryKey && model.columns.has(name) && !leading.has(name));
  const found = new Map<string, UniqueFields>();
  for (const columns of [...rules, ...indexes].filter(isAcross)) {
    const field = fieldOf(model, columns[0]!);
    if (!columns.some((name) => isAllowed(model, fieldOf(model, name))))
      found.set([...columns].sort().join(), { field, columns });
  }
  return [...found.values()];
}

function isAllowed({ class: { validations } }: ModelInfo, field: string): boolean {
  const { uniqueness } = validations[field] ?? {};
  return typeof uniqueness === "object" && uniqueness.everywhere === true;
}
