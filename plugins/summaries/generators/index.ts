import type { Installation } from "framewright/generators";

/** What `fw generate fw:install summaries` adds. */
export const installation: Installation = {
  name: "summaries",
  summary: "Totals below lists",
  plugins: ["summaries"],
};
