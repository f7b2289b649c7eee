import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install attachments` adds. */
export const installation: Installation = {
  name: "attachments",
  summary: "Give records files: the table of their attachments",
  plugins: ["attachments"],
  schema: join(import.meta.dirname, "../schema.liquid"),
  alias: "fw:attachments:install",
};
