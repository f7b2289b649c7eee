import type { Installation } from "framewright/generators";

/** What `fw generate fw:install json_api` adds. */
export const installation: Installation = {
  name: "json_api",
  summary: "Let programs include related records, and follow the pages of lists",
  plugins: ["jsonApi"],
};
