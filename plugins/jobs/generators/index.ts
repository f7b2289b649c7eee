import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install jobs` adds. */
export const installation: Installation = {
  name: "jobs",
  summary: "Jobs and schedules: their tables",
  plugins: ["jobs"],
  schema: join(import.meta.dirname, "../schema.liquid"),
  alias: "fw:jobs:install",
};
