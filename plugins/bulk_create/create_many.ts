import { addToOrigin, type Reply } from "framewright/host";
import type { ResourceRequest } from "framewright/plugins/resources";
import { createEach } from "./create_each.ts";
import { createTogether } from "./create_together.ts";
import { type BulkLimits, itemController, readItems } from "./items.ts";
import { preferencesOf } from "./preferences.ts";
import { startCreation } from "./start_creation.ts";

/** Creates the records of a list that was sent: all or none, each by itself, or in the background. @throws HttpError 403, 422 */
export async function createMany(controller: ResourceRequest, { most, mostInBackground }: BulkLimits): Promise<Reply> {
  addToOrigin({ means: "bulk" });
  await controller.authorizeAction("create");
  const { continueOnError, respondAsync } = preferencesOf(controller.request);
  if (respondAsync) {
    const items = readItems(controller, Math.max(most, mostInBackground));
    const started = await startCreation(controller, items, continueOnError);
    if (started) return started;
  }
  const controllers = readItems(controller, most).map((item) => itemController(controller, item));
  return continueOnError ? createEach(controller, controllers) : createTogether(controller, controllers);
}
