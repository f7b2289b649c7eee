import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install imports` adds. */
export const installation: Installation = {
  name: "imports",
  summary: "Imports of files: their tables, work in the background, and the plugin storage",
  plugins: ["imports", "storage"],
  needs: ["background_runs"],
  schema: join(import.meta.dirname, "../schema.liquid"),
  next: ["canImport() in the policy of a list"],
  alias: "fw:imports:install",
};
