import type { Installation } from "framewright/generators";

/** What `fw generate fw:install states` adds. */
export const installation: Installation = {
  name: "states",
  summary: "Give records states and transitions",
  plugins: ["states"],
};
