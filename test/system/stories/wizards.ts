import type { World } from "../world.ts";
import { tellConfigure } from "./wizards/configure.ts";
import { tellImport } from "./wizards/import.ts";
import { tellOnboarding } from "./wizards/onboarding.ts";
import { tellSignup } from "./wizards/signup.ts";

export function tellWizards(world: () => World, reason: string | undefined): void {
  tellOnboarding(world, reason);
  tellConfigure(world, reason);
  tellImport(world, reason);
  tellSignup(world, reason);
}
