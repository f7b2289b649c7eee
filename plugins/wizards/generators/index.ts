import type { LoadGenerator } from "framewright/generators";

/** Generators of wizards, by name. */
export const generators: Readonly<Record<string, LoadGenerator>> = {
  "fw:wizard": () => import("../../../generators/wizard/generator.ts"),
};
