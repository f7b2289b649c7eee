import type { Installation } from "framewright/generators";

/** What `fw generate fw:install tree` adds. */
export const installation: Installation = {
  name: "tree",
  summary: "Show lists as trees of records that belong to one another",
  plugins: ["tree"],
  next: ['this.tree({ parent: "parent" }) in the configure() of a definition, or nothing'],
};
