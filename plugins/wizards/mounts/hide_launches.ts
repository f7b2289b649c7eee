import { ModelInfo } from "framewright/plugins/database";
import type { ActionsShown, ResourceController } from "framewright/plugins/resources";
import type { RunEngine, Visit } from "../contract/index.ts";
import { customizationOf } from "../pages/customization.ts";
import { wizardsOf } from "./definition_macro.ts";
import { baseOf, type DrawnMount, type Mounts } from "./mount.ts";

/**
 * Hides the launch of all wizards from guests, who may run none of a resource, and of one-time wizards that the current user has
 * completed: one query per wizard, however many rows.
 */
export function hideLaunches(
  { mounts, engine }: { mounts: Mounts; engine: RunEngine },
  shown: ActionsShown,
  controller: ResourceController,
): Promise<void> | undefined {
  const { owner, constant, definition } = controller.registration;
  const wizards = wizardsOf(definition);
  if (wizards.size === 0) return undefined;
  if (controller.currentUser === undefined) {
    for (const key of wizards.keys()) hideEverywhere(key, shown);
    return undefined;
  }
  const all = [...wizards.keys()].map((key) => mounts.onResource(owner, constant, key)!);
  const once = all.filter(({ wizard }) => wizard.metadata.oneTime);
  return once.length > 0 ? hideEach(engine, once, shown, controller) : undefined;
}

function hideEverywhere(key: string, shown: ActionsShown): void {
  if (shown.records.length === 0) shown.hide(key);
  for (const record of shown.records) shown.hide(key, record);
}

async function hideEach(
  engine: RunEngine,
  mounts: readonly DrawnMount[],
  shown: ActionsShown,
  controller: ResourceController,
): Promise<void> {
  for (const mount of mounts) {
    if (mount.onRecord) await hideOnRecords(engine, mount, shown, controller);
    else if (shown.records.length === 0) await hideOnList(engine, mount, shown, controller);
  }
}

async function hideOnRecords(
  engine: RunEngine,
  mount: DrawnMount,
  shown: ActionsShown,
  controller: ResourceController,
) {
  if (shown.records.length === 0) return;
  const done = await engine.completedAnchors(visitWithoutAnchor(mount, controller), shown.records);
  for (const record of shown.records) if (done.has(String(ModelInfo.keyOf(record)))) shown.hide(mount.key!, record);
}

async function hideOnList(engine: RunEngine, mount: DrawnMount, shown: ActionsShown, controller: ResourceController) {
  const { via } = mount.wizard.metadata.anchored ?? {};
  const anchor = via === undefined ? undefined : await customizationOf(controller).wizardAnchor(via);
  const isMissing = via !== undefined && anchor === undefined;
  if (isMissing || (await engine.isCompleted({ ...visitWithoutAnchor(mount, controller), anchor })))
    shown.hide(mount.key!);
}

const visitWithoutAnchor = (mount: DrawnMount, controller: ResourceController): Visit => ({
  mount,
  controller,
  anchor: undefined,
  base: baseOf(mount, controller.request),
  returnTo: undefined,
});
