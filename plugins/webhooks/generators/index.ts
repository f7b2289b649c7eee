import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install webhooks` adds. */
export const installation: Installation = {
  name: "webhooks",
  summary: "Send events to other systems: the tables of webhooks and of what is sent",
  plugins: ["webhooks"],
  schema: join(import.meta.dirname, "../schema.liquid"),
};
