import { assert, describe } from "../../support/index.ts";
import { audit } from "../scoping/audit_apps.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { taskFiles } from "./tasks_app.ts";

const definition = `this.reorder("position");
  this.action("duplicate");
  for (const name of ["title", "author", "fee"]) this.column(name, { edit: true });
  this.column("hours", { total: "sum" });`;

describe("The audit of tenants", (it) => {
  it("Cells, orders and duplicates are covered, and nothing of another tenant is read or written by them", async () => {
    const report = await audit({ ...tenantFiles, ...taskFiles(definition) }, { portal: "CustomerPortal" });
    const others = report.leaks.filter(({ what }) => !/"code".*unique across tenants$/.test(what)); // that of a task is
    assert.equal(others, []);
    const own = report.routes.filter(({ route }) => /\/(cells\/:cell_name|order|duplicate)$/.test(route));
    assert.equal([...new Set(own.map(({ result }) => result))], ["ok"], JSON.stringify(own, undefined, 1));
    assert.is(own.length, 8, "of the list, and of the tasks of a post");
  }, 240_000);
});
