import type { Installation } from "framewright/generators";

/** What `fw generate fw:install nested_records` adds. */
export const installation: Installation = {
  name: "nested_records",
  summary: "Rows and groups within the forms of records",
  plugins: ["nestedRecords"],
};
