import type { Installation } from "framewright/generators";

/** What `fw generate fw:install navigation` adds. */
export const installation: Installation = {
  name: "navigation",
  summary: "Order resources in the sidebar, and count records in badges",
  plugins: ["navigation"],
  next: ["this.navigation({ order: 10, badge: true }) in the configure() of a definition"],
};
