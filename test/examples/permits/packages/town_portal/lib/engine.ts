import { definePortal } from "framewright/plugins/portals";
import type {} from "framewright/plugins/scoping";
import Municipality from "#app/models/municipality.ts";

export const TownPortal = definePortal("TownPortal", (engine) => {
  engine.config.afterInitialize(() => engine.scopeToEntity(Municipality, { strategy: "subdomain" }));
});

declare module "framewright/host" {
  interface Tenants {
    TownPortal: Municipality;
  }
}
