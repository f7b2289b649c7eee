import type { Installation } from "framewright/generators";

/** What `fw generate fw:install reorder` adds. */
export const installation: Installation = {
  name: "reorder",
  summary: "Let people put rows in order",
  plugins: ["reorder"],
};
