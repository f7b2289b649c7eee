import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install presence` adds. */
export const installation: Installation = {
  name: "presence",
  summary: "Say on a form who else has it open: its table",
  plugins: ["presence"],
  schema: join(import.meta.dirname, "../schema.liquid"),
};
