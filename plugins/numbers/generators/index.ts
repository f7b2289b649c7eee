import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install numbers` adds. */
export const installation: Installation = {
  name: "numbers",
  summary: "Number records without gaps: the table of the counters",
  plugins: ["numbers"],
  schema: join(import.meta.dirname, "../schema.liquid"),
};
