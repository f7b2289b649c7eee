import type { Installation } from "framewright/generators";

/** What `fw generate fw:install inline_editing` adds. */
export const installation: Installation = {
  name: "inline_editing",
  summary: "Edit cells of lists in place",
  plugins: ["inlineEditing"],
};
