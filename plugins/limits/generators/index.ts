import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install limits` adds. */
export const installation: Installation = {
  name: "limits",
  summary: "Count attempts for all processes together: the table of limits",
  plugins: ["limits"],
  schema: join(import.meta.dirname, "../schema.liquid"),
  alias: "fw:limits:install",
};
