import { Policy } from "../definition/policy.ts";
import type { Registration } from "../registration/registration.ts";

/**
 * Whether files are imported into a list: where its policy has `canImport()` and the plugins are there, unless that is asked for
 * an action or a route of the application's own that has the name.
 */
export const hasImport = (registration: Registration): boolean =>
  registration.takesFiles() && permitsImport(registration);

const permitsImport = ({ policyClass, singular, definition, customRoutes }: Registration): boolean =>
  policyClass.prototype.canImport !== Policy.prototype.canImport &&
  !singular &&
  !definition.actions.has("import") &&
  !customRoutes.has("import");

const needed = ["jobs", "storage"] as const;

/** The slots that nothing fills, where a policy speaks of imports; its `canImport()` may be about something of its own. */
export const missingForImport = (
  registration: Registration,
  services: { readonly [slot in (typeof needed)[number]]?: unknown },
): readonly string[] => (permitsImport(registration) ? needed.filter((slot) => services[slot] === undefined) : []);

export const importWarning = ({ policyClass }: Registration, missing: readonly string[]): string =>
  `Nothing is imported by ${policyClass.name}.canImport(): no plugin fills ${missing.map((slot) => `"${slot}"`).join(" and ")}. Run: fw generate fw:imports:install`;
