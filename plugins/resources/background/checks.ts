import { hasBulk } from "../definition/actions.ts";
import { errors } from "../errors.ts";
import { hasExportRuns } from "../export/checks.ts";
import type { FieldTypeTable } from "../fields/types/field_type.ts";
import { hasImport } from "../import/checks.ts";
import type { Registration } from "../registration/registration.ts";

/** Whether a resource has interactions that run in the background; those on selected rows, imports and long exports do where there are jobs. */
export const hasBackground = (registration: Registration, hasJobs = false): boolean =>
  (hasJobs && (selectsRows(registration) || hasImport(registration) || hasExportRuns(registration))) ||
  [...registration.definition.actions.values()].some(({ interaction }) => interaction?.inBackground === true);

/** Whether rows of its list are selected; a singular resource has none. */
const selectsRows = ({ singular, definition }: Registration): boolean => !singular && hasBulk(definition);

/** @throws FW_BACKGROUND_JOBS, FW_BACKGROUND_FILE, FW_BACKGROUND_DOWNLOAD */
export function checkBackground({ definition }: Registration, hasJobs: boolean, types: FieldTypeTable): void {
  for (const { interaction } of definition.actions.values()) {
    if (!interaction?.inBackground) continue;
    const { name, attributes, download } = interaction;
    if (!hasJobs) throw errors.FW_BACKGROUND_JOBS(name);
    const file = Object.entries(attributes).find(([, { as }]) => types.get(as)?.isFile);
    if (file) throw errors.FW_BACKGROUND_FILE(name, file[0]);
    if (download) throw errors.FW_BACKGROUND_DOWNLOAD(name);
  }
}
