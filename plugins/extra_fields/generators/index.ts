import type { Installation } from "framewright/generators";

/** What `fw generate fw:install extra_fields` adds. */
export const installation: Installation = {
  name: "extra_fields",
  summary: "Percentages, durations, ratings, countries, languages, tags",
  plugins: ["extraFields"],
};
