import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install undo` adds. */
export const installation: Installation = {
  name: "undo",
  summary: "Let people undo deletions: the table of what they deleted",
  plugins: ["undo"],
  schema: join(import.meta.dirname, "../schema.liquid"),
  alias: "fw:deletions:install",
};
