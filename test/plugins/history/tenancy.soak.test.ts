import { assert, describe } from "../../support/index.ts";
import { audit, leaking, small } from "../scoping/audit_apps.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { historyFiles } from "./history_app.ts";

const table = "db/migrate/20260401000000_create_framewright_history.ts";
const config = (tenantFiles["plugins.config.ts"] ?? "").replace("  resources(),", "  history(),\n  resources(),");

describe("An audit of tenants whose changes are recorded", (it) => {
  it("No page of the history has anything of another tenant", async () => {
    const files = {
      ...small,
      [table]: historyFiles[table] ?? "",
      "plugins.config.ts": `import { history } from "framewright/plugins/history";\n${config}`,
    };
    const report = await audit(files, { portal: "CustomerPortal" });
    assert.equal(leaking(report), []);
    const routes = JSON.stringify(report);
    assert.match(routes, "/history");
  }, 60_000);
});
