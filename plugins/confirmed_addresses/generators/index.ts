import { join } from "node:path";
import type { Installation } from "framewright/generators";

/** What `fw generate fw:install confirmed_addresses` adds. */
export const installation: Installation = {
  name: "confirmed_addresses",
  summary: "Confirm addresses in wizards by mailed codes: the table of the codes",
  plugins: ["confirmedAddresses"],
  schema: join(import.meta.dirname, "../schema.liquid"),
};
