import type { Installation, LoadGenerator } from "framewright/generators";

/** What `fw generate fw:install trash` adds. */
export const installation: Installation = {
  name: "trash",
  summary: "Keep deleted records in a trash: then fw g fw:trash <model> for each model",
  plugins: ["trash"],
  next: ["npx fw g fw:trash <model>"],
};

/** Generators of the trash, by name. */
export const generators: Readonly<Record<string, LoadGenerator>> = {
  "fw:trash": () => import("./trash/generator.ts"),
};
