import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install list_settings` adds. */
export const installation: Installation = {
  name: "list_settings",
  summary: "Keep widths of columns and the last view of lists for each person: their table",
  plugins: ["listSettings"],
  schema: join(import.meta.dirname, "../schema.liquid"),
};
