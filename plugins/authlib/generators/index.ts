import type { LoadGenerator } from "framewright/generators";

/** Generators of account types and profiles, by name. */
export const generators: Readonly<Record<string, LoadGenerator>> = {
  "fw:authlib:account": () => import("../../../generators/authlib/account/generator.ts"),
  "fw:authlib:admin": () => import("../../../generators/authlib/admin/generator.ts"),
  "fw:authlib:upgrade": () => import("../../../generators/authlib/upgrade/generator.ts"),
  "fw:profile:install": () => import("../../../generators/profile/install/generator.ts"),
  "fw:profile:conn": () => import("../../../generators/profile/conn/generator.ts"),
  "fw:profile:setup": () => import("../../../generators/profile/setup/generator.ts"),
};
