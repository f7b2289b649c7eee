import type { Installation } from "framewright/generators";

/** What `fw generate fw:install grouping` adds. */
export const installation: Installation = {
  name: "grouping",
  summary: "Group the rows of lists by what they have in common",
  plugins: ["grouping"],
  next: ['this.grouping({ by: ["status"] }) in the configure() of a definition, or nothing'],
};
