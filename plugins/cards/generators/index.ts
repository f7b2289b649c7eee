import type { Installation } from "framewright/generators";

/** What `fw generate fw:install cards` adds. */
export const installation: Installation = {
  name: "cards",
  summary: "Show lists as cards",
  plugins: ["cards"],
  next: ['this.cards({ image: "cover" }) in the configure() of a definition'],
};
