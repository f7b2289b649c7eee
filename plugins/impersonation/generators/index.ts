import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install impersonation` adds. */
export const installation: Installation = {
  name: "impersonation",
  summary: "Let administrators act for a person, by policy, for a short time: its table",
  plugins: ["impersonation"],
  schema: join(import.meta.dirname, "../schema.liquid"),
};
