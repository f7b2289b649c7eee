import type { Installation } from "framewright/generators";

/** What `fw generate fw:install filters` adds. */
export const installation: Installation = {
  name: "filters",
  summary: "Let people filter lists, choose their columns and order",
  plugins: ["filters"],
};
