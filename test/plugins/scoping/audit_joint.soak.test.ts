import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { fleetFiles } from "../resources/fleet_app.ts";
import { audit, leaking, portal } from "./audit_apps.ts";
import { tenantFiles } from "./tenants.ts";

const routes = `${portal}/config/routes.ts`;
const models = "Depot, Vehicle, Trip, Sale, SaleLine";
/** The tenants' depots, vehicles, trips and sales alone, without imports. */
const files: Record<string, string> = {
  ...Object.fromEntries(Object.entries(fleetFiles).filter(([path]) => !/shipment|imports|deletions/.test(path))),
  "plugins.config.ts": tenantFiles["plugins.config.ts"]!,
  [routes]: edited(
    fleetFiles,
    routes,
    [/Organization, User,.*SaleLine\]/, `${models}]`],
    ['import Shipment from "#app/models/shipment.ts";\n', ""],
  ),
};
const all = { ...tenantFiles, ...files };

describe("An audit of tenants whose records refer to each other by several columns", (it) => {
  it("Every route is covered, and nothing leaks", async () => {
    const report = await audit(all, { portal: "CustomerPortal" });
    assert.equal(leaking(report), []);
    assert.equal(
      report.routes.filter(({ result }) => result === "not covered").map(({ route }) => route),
      [],
    );
    assert.ok(
      report.routes.some(({ route }) => /nested_trips/.test(route)),
      "nested lists are among them",
    );
  }, 240_000);
});
