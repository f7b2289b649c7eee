import { notFound } from "framewright/host";
import { type RowOwner, rowOwner } from "framewright/plugins/portals";
import type { ResourceController } from "framewright/plugins/resources";
import type { BackgroundRuns } from "./contract.ts";
import type { RunRow } from "./run.ts";

/** The service of the application. */
export const runsOf = (controller: ResourceController): BackgroundRuns =>
  controller.request.kernel.service("background_runs");

/** The run that a route names, if it is this person's. @throws HttpError 404 */
export async function findOwnRun(controller: ResourceController): Promise<RunRow> {
  const { run_id = "" } = controller.request.routeParams;
  if (controller.currentUser === undefined || !/^[1-9]\d{0,14}$/.test(run_id)) throw notFound();
  const { store } = runsOf(controller);
  const run = (await store.isInstalled()) ? await store.find(Number(run_id)) : undefined;
  const owner = Object.entries(rowOwner(controller, controller.registration.constant)) as [
    keyof RowOwner,
    string | null,
  ][];
  if (!run || owner.some(([name, value]) => run[name] !== value)) throw notFound();
  return run;
}
