import type { ApplicationFiles } from "framewright/generators";
import { demodulize } from "framewright/host/inflection";
import { isReference } from "./code.ts";
import type { Field } from "./field.ts";

/** The models to whose records portals are scoped, by their short names. */
export const tenantsOf = (app: ApplicationFiles): string[] =>
  app.portals().flatMap((portal) => {
    const path = `packages/${portal}/lib/engine.ts`;
    const text = app.has(path) ? app.read(path) : "";
    return /\bscopeToEntity\(\s*(\w+)/.exec(text)?.[1] ?? [];
  });

/**
 * What is unique in a tenant's model, as its slug, is unique within the tenant: else an error there would reveal that another tenant has the
 * value. References, and what sets `everywhere`, stay as they are.
 */
export function withinTenant(fields: readonly Field[], tenants: readonly string[]): Field[] {
  const tenant = fields.find(({ type, target }) => type === "belongs_to" && tenants.includes(demodulize(target)));
  return fields.map((field) => {
    const isAlone = field.unique && field.scope.length === 0 && !field.everywhere;
    return tenant && isAlone && !isReference(field) ? { ...field, scope: [tenant.name] } : field;
  });
}
