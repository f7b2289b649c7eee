import type { Installation } from "framewright/generators";

/** What `fw generate fw:install printing` adds. */
export const installation: Installation = {
  name: "printing",
  summary: "Give records pages for paper",
  plugins: ["printing"],
};
