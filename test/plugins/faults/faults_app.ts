import { Application } from "framewright";
import type { HookInfo } from "framewright/kernel";
import { openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { databaseOf } from "../../support/shop.ts";
import { portalRoutes, tables, wizardFile, wizardFiles } from "../wizards/mounts_support.ts";
import { Saboteur } from "./saboteur.ts";

const files: Record<string, string> = {
  ...wizardFiles,
  "plugins.config.ts": wizardFiles["plugins.config.ts"]!.replace(
    "export default",
    'import { dashboards } from "framewright/plugins/dashboards"; import { jobs } from "framewright/plugins/jobs"; export default',
  ).replace("storage(),", "storage(), jobs(), dashboards(),"),
  "packages/admin_portal/app/dashboards/admin_portal/main_dashboard.ts": `import { Dashboard } from "framewright/plugins/dashboards"; import Post from "#app/models/post.ts";
    export default class MainDashboard extends Dashboard { override configure() { super.configure(); this.resourceCards(); this.metric("posts", { value: () => this.query(Post).resultSize() }); } }`,
  "app/wizards/tour_wizard.ts": wizardFile("TourWizard", "", {
    steps: `.step("first", {}, (f) => f.string("title", { presence: true }))`,
  }),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerDashboard(MainDashboard, { at: "/" }); routes.registerWizard(TourWizard, { at: "tour" });`,
    `import type {} from "framewright/plugins/dashboards"; import MainDashboard from "../app/dashboards/admin_portal/main_dashboard.ts"; import TourWizard from "#app/wizards/tour_wizard.ts";`,
  ).replace(`routes.root({ to: "dashboard#index" });`, ""),
  "db/migrate/20260101000001_create_framewright_wizards.ts": tables,
};
const values = { NODE_ENV: "development", LOG_LEVEL: "silent", REQUEST_DEADLINE: "700" };

/** An application with nearly every hook there is, its tables, and a plugin that taps all of them. */
export class SabotagedApp {
  readonly #root = writeApp(files);
  /** Every hook of every slot, as the kernel lists it. */
  hooks: readonly HookInfo[] = [];

  /** Writes the tables, and learns which hooks there are. */
  async prepare(): Promise<void> {
    const app = await openApp(this.#root, { values });
    this.hooks = app.application.kernel.hookInfo();
    await databaseOf(app.application).migrations.up();
    await databaseOf(app.application).knex("users").insert({ id: 1, name: "Ann" });
    await databaseOf(app.application)
      .knex("posts")
      .insert([1, 3].map((id) => ({ id, title: "Hello" }))); // the policy hides the third
    await app.close();
  }

  /** Opens it; `logged` collects what it logs as warnings and errors. */
  async open(saboteur = new Saboteur(), logged: string[] = []): Promise<TestApp> {
    const listed = await Application.pluginsOf(this.#root, false);
    const app = await openApp(this.#root, { values, plugins: [...listed, saboteur.plugin(this.hooks)] });
    const { log } = app.application;
    const note = (facts: unknown, message?: string) => {
      const { err } = (facts ?? {}) as { err?: unknown };
      logged.push([String(facts), message, err instanceof Error ? err.message : ""].join(" "));
    };
    Object.assign(log, { warn: note, error: note });
    return app;
  }
}
