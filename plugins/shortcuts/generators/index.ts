import type { Installation } from "framewright/generators";

/** What `fw generate fw:install shortcuts` adds. */
export const installation: Installation = {
  name: "shortcuts",
  summary: "Shortcuts of the keyboard",
  plugins: ["shortcuts"],
};
