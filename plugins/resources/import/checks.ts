import { Policy } from "../definition/policy.ts";
import { errors } from "../errors.ts";
import type { Registration } from "../registration/registration.ts";

/**
 * Whether files are imported into a list: where its policy has `canImport()`, unless that is asked for an action or a route of
 * the application's own that has the name.
 */
export const hasImport = ({ policyClass, singular, definition, customRoutes }: Registration): boolean =>
  policyClass.prototype.canImport !== Policy.prototype.canImport &&
  !singular &&
  !definition.actions.has("import") &&
  !customRoutes.has("import");

/** @throws FW_IMPORT_PLUGINS */
export function checkImport(registration: Registration, filled: { jobs: boolean; storage: boolean }): void {
  if (!hasImport(registration)) return;
  const missing = (["jobs", "storage"] as const).filter((slot) => !filled[slot]);
  if (missing.length > 0) throw errors.FW_IMPORT_PLUGINS(registration.policyClass.name, missing);
}
