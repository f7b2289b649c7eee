import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install notifications` adds. */
export const installation: Installation = {
  name: "notifications",
  summary: "Notify people in their portals: the table of notifications",
  plugins: ["notifications"],
  schema: join(import.meta.dirname, "../schema.liquid"),
  alias: "fw:notifications:install",
};
