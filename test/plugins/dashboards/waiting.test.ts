import { assert, describe } from "../../support/index.ts";
import { openWizards, portalRoutes, wizardFiles } from "../wizards/mounts_support.ts";
import { requests } from "../wizards/runs_app.ts";

const changes = {
  "plugins.config.ts": wizardFiles["plugins.config.ts"]!.replace(
    "export default",
    'import { dashboards } from "framewright/plugins/dashboards"; export default',
  ).replace("storage(),", "storage(), dashboards(),"),
  "packages/admin_portal/app/dashboards/admin_portal/main_dashboard.ts": `import { Dashboard } from "framewright/plugins/dashboards";
    export default class MainDashboard extends Dashboard { override configure() { super.configure(); this.resourceCards(); } }`,
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerDashboard(MainDashboard, { at: "/" }); routes.registerWizard(OnboardWizard, { at: "onboarding" });`,
    `import type {} from "framewright/plugins/dashboards"; import MainDashboard from "../app/dashboards/admin_portal/main_dashboard.ts"; import OnboardWizard from "#app/wizards/onboard_wizard.ts";`,
  ).replace(`routes.root({ to: "dashboard#index" });`, ""),
};

describe("What waits for a person on a dashboard", (it) => {
  it("A draft of a wizard is listed for the person who began it, with its step, and for nobody else", async () => {
    const app = await openWizards(changes);
    try {
      const { as, send } = requests(app.url);
      const headers = (user: number) => ({ "x-user": String(user), accept: "text/html" });
      const card = async (user: number) =>
        (await app.request("/admin/dashboards/main/cards/waiting", { headers: headers(user) })).text();
      assert.match(await card(1), "Nothing is waiting for you.");
      await as(1, "GET", "/admin/onboarding");
      await send(1, "/admin/onboarding/first", { title: "Ann's" });
      assert.match(await card(1), /href="\/admin\/onboarding\/second">Onboarding<\/a><p>Step: Second · <time/);
      assert.match(await card(2), "Nothing is waiting for you.");
    } finally {
      await app.close();
    }
  });
});
