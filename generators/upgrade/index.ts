import { addedPlugins } from "./steps/added_plugins.ts";
import { movedOptions } from "./steps/moved_options.ts";
import { movedServices } from "./steps/moved_services.ts";
import { movedTypes } from "./steps/moved_types.ts";
import { Upgrade, type UpgradeStep } from "./upgrade.ts";

/** The steps in their order: options become lines of plugins, then the lines that are still missing are added. */
const steps: readonly UpgradeStep[] = [movedOptions, addedPlugins, movedTypes, movedServices];

/** What upgrading an application changes and leaves. Nothing is written. */
export function planUpgrade(root: string): Upgrade {
  const upgrade = new Upgrade(root);
  for (const step of steps) step.run(upgrade);
  return upgrade;
}
