import type { Installation } from "framewright/generators";

/** What `fw generate fw:install live` adds. */
export const installation: Installation = {
  name: "live",
  summary: "Lists, records and the bell follow changes of others",
  plugins: ["live"],
  next: ["this.live(false) in the configure() of a definition whose pages are not to follow"],
};
