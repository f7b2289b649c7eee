import type { Installation } from "framewright/generators";

/** What `fw generate fw:install boards` adds. */
export const installation: Installation = {
  name: "boards",
  summary: "Show lists as boards",
  plugins: ["boards"],
  next: [
    'this.board({ by: "status" }) in the configure() of a definition; records with static states have a board without it',
  ],
};
