import type { LoadGenerator } from "framewright/generators";

/** Generators of products with tenants, known without the plugin's line, which they add. */
export const installers: Readonly<Record<string, LoadGenerator>> = {
  "fw:saas:setup": () => import("./saas/setup/generator.ts"),
  "fw:saas:user": () => import("./saas/user/generator.ts"),
  "fw:saas:entity": () => import("./saas/entity/generator.ts"),
  "fw:saas:membership": () => import("./saas/membership/generator.ts"),
  "fw:saas:portal": () => import("./saas/portal/generator.ts"),
  "fw:saas:welcome": () => import("./saas/welcome/generator.ts"),
  "fw:saas:api_client": () => import("./saas/api_client/generator.ts"),
  "fw:invites:install": () => import("./invites/install/generator.ts"),
  "fw:invites:owner": () => import("./invites/owner/generator.ts"),
  "fw:invites:invitable": () => import("./invites/invitable/generator.ts"),
};
