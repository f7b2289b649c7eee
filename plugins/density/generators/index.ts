import type { Installation } from "framewright/generators";

/** What `fw generate fw:install density` adds. */
export const installation: Installation = {
  name: "density",
  summary: "Let people choose low rows",
  plugins: ["density"],
};
