import type { BaseController } from "framewright";
import type { BaseModel, Database } from "framewright/plugins/database";
import { allows, type Registration, type Resources } from "framewright/plugins/resources";
import type { AuditLine } from "./contract.ts";

interface Parts {
  readonly database: Database;
  readonly resources: Resources;
}

/** By the names of models: the resources of the portal whose policies allow the account of the request to see changes. */
export function auditable({ database, resources }: Parts, controller: BaseController): Map<string, Registration> {
  const found = new Map<string, Registration>();
  for (const model of database.models()) {
    const registration = resources.registry.nearest(controller.request.engine?.name, model);
    if (registration && mayAudit(resources, controller, registration)) found.set(model.constant, registration);
  }
  return found;
}

export const mayAudit = (
  resources: Resources,
  controller: BaseController,
  { policyClass }: Registration,
  record?: BaseModel,
  action = "audit",
): boolean => allows(resources.policy(controller, policyClass, record), action);

/** The lines of records that the account may see and audit; of deleted ones those that `canAuditDeleted()` permits. */
export async function visibleLines(
  parts: Parts,
  controller: BaseController,
  lines: readonly AuditLine[],
  registrations: ReadonlyMap<string, Registration>,
): Promise<AuditLine[]> {
  const shown = new Set<AuditLine>();
  for (const registration of new Set(registrations.values())) {
    const own = lines.filter(({ model }) => registrations.get(model) === registration);
    if (own.length === 0) continue;
    const mayShow = await permitted(parts, controller, registration, [...new Set(own.map(({ record }) => record))]);
    for (const line of own) if (mayShow(line.record)) shown.add(line);
  }
  return lines.filter((line) => shown.has(line));
}

async function permitted(
  { database, resources }: Parts,
  controller: BaseController,
  registration: Registration,
  ids: readonly string[],
): Promise<(id: string) => boolean> {
  const { class: cls, table } = registration.model;
  const column = `${table}.id`;
  const stored = await database.query(cls).whereIn(column, [...ids]);
  const seen = await resources.visibleIn(controller, cls).whereIn(column, [...ids]);
  const present = new Set(stored.map((record) => String(record.$id())));
  const open = new Set(
    seen
      .filter((record) => mayAudit(resources, controller, registration, record))
      .map((record) => String(record.$id())),
  );
  const deleted = mayAudit(resources, controller, registration, undefined, "audit_deleted");
  return (id) => open.has(id) || (deleted && !present.has(id));
}
