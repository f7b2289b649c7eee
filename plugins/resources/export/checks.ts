import { Policy } from "../definition/policy.ts";
import type { Registration } from "../registration/registration.ts";

/** Whether exports of a list can be left to a job: where its policy has `canExport()`, and the plugins are there. */
export const hasExportRuns = ({ takesFiles, policyClass, singular }: Registration): boolean =>
  takesFiles() && !singular && policyClass.prototype.canExport !== Policy.prototype.canExport;
