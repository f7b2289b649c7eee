import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install background_runs` adds. */
export const installation: Installation = {
  name: "background_runs",
  summary: "Work in the background: the table of runs, and the plugin jobs, which works on them",
  plugins: ["backgroundRuns"],
  needs: ["jobs"],
  schema: join(import.meta.dirname, "../schema.liquid"),
  next: ["static override inBackground = true; in an interaction"],
  alias: "fw:background:install",
};
