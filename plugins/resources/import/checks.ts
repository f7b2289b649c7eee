import { Policy } from "../definition/policy.ts";
import type { Registration } from "../registration/registration.ts";

/** Whether files are imported into a list: where its policy has `canImport()` and the plugins are there. */
export const hasImport = (registration: Registration): boolean =>
  registration.takesFiles() && permitsImport(registration);

const permitsImport = ({ policyClass, singular }: Registration): boolean =>
  policyClass.prototype.canImport !== Policy.prototype.canImport && !singular;

const needed = ["jobs", "storage"] as const;

/** The slots that nothing fills, where a policy has `canImport()`. */
export const missingForImport = (
  registration: Registration,
  services: { readonly [slot in (typeof needed)[number]]?: unknown },
): readonly string[] => (permitsImport(registration) ? needed.filter((slot) => services[slot] === undefined) : []);

export const importWarning = ({ policyClass }: Registration, missing: readonly string[]): string =>
  `Nothing is imported by ${policyClass.name}.canImport(): no plugin fills ${missing.map((slot) => `"${slot}"`).join(" and ")}. Run: fw generate fw:imports:install`;
