import type { Installation } from "framewright/generators";

/** What `fw generate fw:install bulk_create` adds. */
export const installation: Installation = {
  name: "bulk_create",
  summary: "Let programs create several records by one request",
  plugins: ["bulkCreate"],
};
