import { join } from "node:path";
import type { Installation, LoadGenerator } from "framewright/generators";

/** What `fw generate fw:install wizards` adds. */
export const installation: Installation = {
  name: "wizards",
  summary: "Wizards: the tables of their runs, and the plugin storage",
  plugins: ["storage", "wizards"],
  schema: join(import.meta.dirname, "../schema.liquid"),
  next: ["npx fw generate fw:wizard Onboard --steps=company,people"],
  alias: "fw:wizards:install",
};

/** Generators of wizards, by name. */
export const generators: Readonly<Record<string, LoadGenerator>> = {
  "fw:wizard": () => import("./wizard/generator.ts"),
};
