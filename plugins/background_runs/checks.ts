import { bulkActionsOf } from "framewright/plugins/bulk_actions";
import type { FieldTypeTable } from "framewright/plugins/fields";
import type { Registration } from "framewright/plugins/resources";
import { fileNames } from "./carried_files.ts";
import { errors } from "./errors.ts";

/** Whether a resource has interactions that run in the background. */
export const hasInteractions = ({ definition }: Registration): boolean =>
  [...definition.actions.values()].some(({ interaction }) => interaction?.inBackground === true);

/** Whether rows of its list are selected; a singular resource has none. */
export const selectsRows = (registration: Registration): boolean =>
  !registration.singular && bulkActionsOf(registration).length > 0;

/** @throws FW_BACKGROUND_FILE, FW_BACKGROUND_DOWNLOAD, FW_BACKGROUND_ROLLBACK */
export function checkBackground({ definition }: Registration, types: FieldTypeTable, hasStorage: boolean): void {
  for (const { interaction } of definition.actions.values()) {
    if (!interaction?.inBackground) continue;
    const { name, attributes, download, onFailure } = interaction;
    const [file] = hasStorage ? [] : fileNames(attributes, types);
    if (file !== undefined) throw errors.FW_BACKGROUND_FILE(name, file);
    if (onFailure === "rollback") throw errors.FW_BACKGROUND_ROLLBACK(name);
    if (download) throw errors.FW_BACKGROUND_DOWNLOAD(name);
  }
}
