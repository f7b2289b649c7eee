import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install saved_views` adds. */
export const installation: Installation = {
  name: "saved_views",
  summary: "Let people keep views of lists: their tables",
  plugins: ["savedViews"],
  schema: join(import.meta.dirname, "../schema.liquid"),
  alias: "fw:saved_views:install",
};
