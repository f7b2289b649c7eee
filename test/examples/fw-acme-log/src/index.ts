import type {} from "framewright/host";
import { definePlugin } from "framewright/kernel";
import type {} from "fw-acme";

/** Writes each announcement of fw-acme to the application's log. */
export const acmeLog = definePlugin({
  name: "fw-acme-log",
  requires: ["acme", "host"],
  apply({ services: { host }, hooks, tap }) {
    tap(hooks.acme.announced, (text) => host.log.info(`announced: ${text.toUpperCase()}`));
  },
});
