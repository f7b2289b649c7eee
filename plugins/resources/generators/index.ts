import type { LoadGenerator } from "framewright/generators";

/** Generators of resources, by name. */
export const generators: Readonly<Record<string, LoadGenerator>> = {
  "fw:res:scaffold": () => import("../../../generators/res/scaffold/generator.ts"),
  "fw:res:field": () => import("../../../generators/res/field/generator.ts"),
  "fw:res:interaction": () => import("../../../generators/res/interaction/generator.ts"),
  "fw:res:conn": () => import("../../../generators/res/conn/generator.ts"),
};
