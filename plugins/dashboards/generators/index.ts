import type { LoadGenerator } from "framewright/generators";

/** What is known without the plugin's line, which it adds. */
export const installers: Readonly<Record<string, LoadGenerator>> = {
  "fw:dashboard": () => import("./dashboard/generator.ts"),
};
