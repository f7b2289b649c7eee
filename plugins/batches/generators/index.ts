import type { Installation } from "framewright/generators";

/** What `fw generate fw:install batches` adds. */
export const installation: Installation = {
  name: "batches",
  summary: "Create many records, and run interactions on many, from code",
  plugins: ["batches"],
};
