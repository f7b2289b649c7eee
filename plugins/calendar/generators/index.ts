import type { Installation } from "framewright/generators";

/** What `fw generate fw:install calendar` adds. */
export const installation: Installation = {
  name: "calendar",
  summary: "Show lists as calendars",
  plugins: ["calendar"],
  next: ['this.calendar({ on: "due_on" }) in the configure() of a definition'],
};
