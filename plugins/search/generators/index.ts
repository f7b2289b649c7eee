import type { Installation } from "framewright/generators";

/** What `fw generate fw:install search` adds. */
export const installation: Installation = {
  name: "search",
  summary: "One search of all lists of a portal",
  plugins: ["search"],
};
