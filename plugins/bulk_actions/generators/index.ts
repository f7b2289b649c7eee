import type { Installation } from "framewright/generators";

/** What `fw generate fw:install bulk_actions` adds. */
export const installation: Installation = {
  name: "bulk_actions",
  summary: "Let people select rows of a list for an action",
  plugins: ["bulkActions"],
};
