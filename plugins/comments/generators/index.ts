import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install comments` adds. */
export const installation: Installation = {
  name: "comments",
  summary: "Comments on records: their table, and that of those who follow them",
  plugins: ["comments"],
  schema: join(import.meta.dirname, "../schema.liquid"),
};
