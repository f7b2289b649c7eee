import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install history` adds. */
export const installation: Installation = {
  name: "history",
  summary: "Record who changed what: the table of changes",
  plugins: ["history"],
  schema: join(import.meta.dirname, "../schema.liquid"),
};
