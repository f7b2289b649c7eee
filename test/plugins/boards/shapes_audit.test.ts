import { edited, withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { taskFiles } from "../resources/tasks_app.ts";
import { audit } from "../scoping/audit_apps.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { boardFiles } from "./boards_app.ts";

const routes = "packages/customer_portal/config/routes.ts";
const lines = 'this.board(); this.cards(); this.calendar({ on: "due_on" });';
const files: Record<string, string> = {
  ...tenantFiles,
  ...taskFiles(lines),
  [routes]: edited(taskFiles(lines), routes, [/\[[^\]]*Task\]/, "[Task]"]),
  "plugins.config.ts": withPlugin(boardFiles()["plugins.config.ts"]!, "calendar()", "calendar"),
};

describe("An audit of tenants whose lists have shapes", (it) => {
  it("Moves a card and an entry of the own tenant, and finds no leak", async () => {
    const report = await audit(files, { portal: "CustomerPortal" });
    const below = "POST /customer/:organization_id/tasks/:id";
    const results = [`${below}/board`, `${below}/calendar`].map(
      (one) => report.routes.find(({ route }) => route === one)?.result,
    );
    const leaks = report.leaks.filter(({ route }) => /\/(?:board|calendar)$/.test(route)); // a code is unique across tenants in this application
    assert.equal([leaks, results], [[], ["ok", "ok"]]);
  });
});
