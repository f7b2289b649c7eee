import { assert, describe } from "../../support/index.ts";
import { audit } from "../scoping/audit_apps.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { files } from "./settings_app.ts";

describe("The audit of tenants", (it) => {
  it("The settings of lists are covered, and nothing of another tenant is read or written by them", async () => {
    const report = await audit({ ...tenantFiles, ...files }, { portal: "CustomerPortal" });
    assert.equal(report.leaks, []);
    const own = report.routes.filter(({ route }) => route.endsWith("/list/settings"));
    assert.equal([...new Set(own.map(({ result }) => result))], ["ok"], JSON.stringify(own, undefined, 1));
    assert.ok(own.length > 5, `${own.length}`);
  }, 240_000);
});
