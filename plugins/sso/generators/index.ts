import type { LoadGenerator } from "framewright/generators";

/** Generators that work before the plugin is listed: they list it. */
export const installers: Readonly<Record<string, LoadGenerator>> = {
  "fw:authlib:sso": () => import("./sso/generator.ts"),
};
