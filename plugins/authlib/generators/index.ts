import type { LoadGenerator } from "framewright/generators";

/** Generators of account types and profiles, by name. */
export const generators: Readonly<Record<string, LoadGenerator>> = {
  "fw:authlib:account": () => import("./account/generator.ts"),
  "fw:authlib:admin": () => import("./admin/generator.ts"),
  "fw:authlib:upgrade": () => import("./upgrade/generator.ts"),
  "fw:profile:install": () => import("./profile/install/generator.ts"),
  "fw:profile:conn": () => import("./profile/conn/generator.ts"),
  "fw:profile:setup": () => import("./profile/setup/generator.ts"),
};

/** What is known without the plugin's line, which it adds. */
export const installers: Readonly<Record<string, LoadGenerator>> = {
  "fw:authlib:install": () => import("./install/generator.ts"),
};
