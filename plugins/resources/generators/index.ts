import type { LoadGenerator } from "framewright/generators";

/** Generators of resources, by name. */
export const generators: Readonly<Record<string, LoadGenerator>> = {
  "fw:res:scaffold": () => import("./scaffold/generator.ts"),
  "fw:res:field": () => import("./field/generator.ts"),
  "fw:res:interaction": () => import("./interaction/generator.ts"),
  "fw:db:pull": () => import("./db_pull/generator.ts"),
  "fw:res:conn": () => import("./conn/generator.ts"),
};
