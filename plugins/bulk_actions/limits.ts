import type { ResourceRequest } from "framewright/plugins/resources";
import type { BulkAction } from "./bulk_action.ts";

/** Whether an action can be left to a job, by what the application has: for a whole list, or for very many records. */
export const mayRunInBackground = async ({
  resources: { background },
  currentUser,
}: ResourceRequest): Promise<boolean> => currentUser !== undefined && (await background?.isReady()) === true;

/** Whether an action can't be left to a job: a file is not stored until it runs without a storage, and it commits one record after the other. */
export const isForRequests = ({ resources, request }: ResourceRequest, { interaction }: BulkAction): boolean =>
  interaction.onFailure === "rollback" ||
  (!request.kernel.has("storage") &&
    Object.values(interaction.attributes).some(({ as }) => resources.fieldTypes.get(as)?.isFile));

/** Whether all that match can be selected for each of the actions. */
export const mayRunAll = async (controller: ResourceRequest, actions: readonly BulkAction[]): Promise<boolean> =>
  !actions.some((action) => isForRequests(controller, action)) && (await mayRunInBackground(controller));
