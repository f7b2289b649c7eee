import { assert, describe } from "../../support/index.ts";
import { audit, leaking } from "../scoping/audit_apps.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { rowsFiles } from "./tenancy_files.ts";

describe("The tenancy audit of an application with rows within its forms", (it) => {
  it("No route leaks", async () => {
    const report = await audit({ ...tenantFiles, ...rowsFiles });
    assert.equal(leaking(report), []);
  });
});
