import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install branding` adds. */
export const installation: Installation = {
  name: "branding",
  summary: "Give each tenant a name, a colour and a logo of its own: their table",
  plugins: ["branding"],
  schema: join(import.meta.dirname, "../schema.liquid"),
};
