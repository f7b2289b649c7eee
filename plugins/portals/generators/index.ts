import type { LoadGenerator } from "framewright/generators";

/** What is known without the plugin's line. */
export const installers: Readonly<Record<string, LoadGenerator>> = {
  "fw:pkg:portal": () => import("./portal/generator.ts"),
};
