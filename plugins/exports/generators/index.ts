import type { Installation } from "framewright/generators";

/** What `fw generate fw:install exports` adds. */
export const installation: Installation = {
  name: "exports",
  summary: "Downloads of lists",
  plugins: ["exports"],
  next: ["canExport() in the policy of a list"],
};
