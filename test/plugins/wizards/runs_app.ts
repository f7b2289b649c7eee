import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openApp, type TestApp, writeApp } from "../../support/apps.ts";
import type { TestDatabase } from "../../support/databases.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/wizards/schema.liquid"), "utf8");

/** A portal whose visitors are known by a header, with a wizard of each kind. */
export const runsFiles: Record<string, string> = {
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel";
    import { assets } from "framewright/plugins/assets"; import { database } from "framewright/plugins/database";
    import { i18n } from "framewright/plugins/i18n"; import { layout } from "framewright/plugins/layout";
    import { portals } from "framewright/plugins/portals"; import { resources } from "framewright/plugins/resources";
    import { sessions } from "framewright/plugins/sessions"; import { storage } from "framewright/plugins/storage";
    import { views } from "framewright/plugins/views"; import { wizards } from "framewright/plugins/wizards"; import { seams } from "#app/seams.ts";
    export default definePlugins([database(), i18n(), sessions(), views(), assets(), layout(), portals(), resources(), storage(), wizards({ grace: Number(process.env.FW_TEST_GRACE ?? 60_000), sweep: false }), seams()]);`,
  "app/seams.ts": `import { definePlugin } from "framewright/kernel";
    /** What a test does at a named moment of a run: ends the process there, when it says so. */
    export const moments: Record<string, ((run: { wizard: string }) => void | Promise<void>) | undefined> = {};
    export const at = async (moment: string, run: { wizard: string }) => {
      await moments[moment]?.(run);
      if (process.env.FW_TEST_KILL === moment) process.kill(process.pid, "SIGKILL");
    };
    export const arrived = { requests: 0 };
    export const events: { kind: string; wizard: string; step: string | undefined }[] = [];
    export const seams = () => definePlugin({
      name: "seams", requires: ["wizards"],
      apply({ hooks }) {
        for (const moment of ["locked", "completing", "executing", "executed", "completed"] as const) hooks.wizards[moment].tapPromise("seams", (run) => at(moment, run));
        hooks.wizards.wizard.tapPromise("seams", async ({ kind, run, step }) => void events.push({ kind, wizard: run.wizard, step }));
      },
    });`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { OfficePortal } from "#packages/office_portal/lib/engine.ts";
    import SignUpWizard from "#app/wizards/sign_up_wizard.ts";
    export default drawRoutes((routes) => { routes.mount(OfficePortal, { at: "/office" }); routes.registerWizard(SignUpWizard, { at: "signup" }); });`,
  "db/migrate/20260101000000_create_tables.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.createTable("users", (t) => { t.id(); t.string("name").notNull(); });
      await db.createTable("companies", (t) => { t.id(); t.string("name").notNull(); t.string("made_by"); });
      await db.createTable("invoices", (t) => { t.id(); t.string("number").notNull().unique(); });
    }
    export async function down(db: Schema) { for (const name of ["invoices", "companies", "users"]) await db.dropTable(name); }`,
  "db/migrate/20260101000001_create_framewright_wizard_runs.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema): Promise<void> {
    ${schema}}
    export async function down(db: Schema): Promise<void> { for (const name of ["leases", "events", "runs"]) await db.dropTable(\`framewright_wizard_\${name}\`); }`,
  "app/models/user.ts": `import { Model } from "framewright/plugins/database"; export default class User extends Model("users") {}`,
  "app/models/company.ts": `import { Model } from "framewright/plugins/database";
    export default class Company extends Model("companies") { static override validations = { name: { length: { maximum: 30 } } }; }`,
  "app/models/invoice.ts": `import { Model } from "framewright/plugins/database"; export default class Invoice extends Model("invoices") {}`,
  "app/wizards/onboard_wizard.ts": `import { fail, steps, succeed, Wizard } from "framewright/plugins/wizards";
    import { at } from "#app/seams.ts"; import Company from "#app/models/company.ts"; import Invoice from "#app/models/invoice.ts";
    const flow = steps()
      .step("company", {}, (f) => f.string("name", { presence: true }).select("plan", ["free", "paid"]))
      .step("billing", { condition: ({ data }) => data.company?.plan === "paid" }, (f) => f.string("number", { presence: true }))
      .step("people", {}, (f) => f.integer("count"))
      .onSubmit("billing", async ({ data, persist, fail: refuse }) => {
        if (data.billing.number === "refused") refuse({ number: ["is refused"] });
        if (data.billing.number === "broken") throw new Error("broken");
        await persist("invoice", Invoice, { number: data.billing.number });
      })
      .onRollback("billing", async ({ persisted, query }) => { if (persisted.invoice) await query(Company).insert({ name: "rolled back", made_by: String(persisted.invoice.$id()) } as never); })
      .review();
    export default class OnboardWizard extends Wizard(flow, { concurrencyKey: (run) => run.currentUser, oneTime: true }) {
      async execute() {
        await this.query(Company).insert({ name: this.data.company.name, made_by: String(this.data.people.count) } as never);
        await at("inside", { wizard: "OnboardWizard" });
        if (this.data.company.name === "Failing") return fail({}, "No such luck");
        if (this.data.company.name === "Throwing") throw new Error("thrown");
        return succeed().withMessage("All set").withRedirect("/office/done");
      }
    }`,
  "app/wizards/order_wizard.ts": `import { steps, succeed, Wizard } from "framewright/plugins/wizards"; import Company from "#app/models/company.ts";
    const flow = steps().step("what", {}, (f) => f.string("name", { presence: true })).step("secret", {}, (f) => f.password("code"));
    export default class OrderWizard extends Wizard(flow, { concurrencyKey: (run) => run.currentUser }) {
      async execute() { await this.query(Company).insert({ name: this.data.what.name } as never); return succeed().withRedirect("/office/ordered"); }
    }`,
  "app/wizards/admit_wizard.ts": `import { steps, succeed, Wizard } from "framewright/plugins/wizards"; import Invoice from "#app/models/invoice.ts";
    const flow = steps().step("owner", {}, (f) => f.string("name", { presence: true })).step("animal", {}, (f) => f.string("name", { presence: true })).step("visit", {}, (f) => f.string("reason"))
      .onSubmit("animal", async ({ data, persist }) => { await persist("invoice", Invoice, { number: data.owner.name + ": " + data.animal.name }); })
      .review();
    export default class AdmitWizard extends Wizard(flow, { concurrencyKey: (run) => run.currentUser }) {
      async execute() { return succeed().withRedirect("/office/admitted"); }
    }`,
  "app/wizards/import_wizard.ts": `import { steps, succeed, Wizard } from "framewright/plugins/wizards"; import Company from "#app/models/company.ts";
    const flow = steps().step("source", {}, (f) => f.string("url", { presence: true })).step("options", {}, (f) => f.boolean("all"));
    export default class ImportWizard extends Wizard(flow) {
      async execute() { await this.query(Company).insert({ name: this.data.source.url } as never); return succeed().withRedirect("/office/imported"); }
    }`,
  "app/wizards/sign_up_wizard.ts": `import { steps, succeed, Wizard } from "framewright/plugins/wizards"; import Company from "#app/models/company.ts";
    const flow = steps().step("you", {}, (f) => f.string("name", { presence: true })).review();
    export default class SignUpWizard extends Wizard(flow, { anonymous: true }) {
      async execute() { await this.query(Company).insert({ name: this.data.you.name } as never); return succeed(); }
    }`,
  "packages/office_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const OfficePortal = definePortal("OfficePortal");`,
  "packages/office_portal/config/routes.ts": `import { OfficePortal } from "../lib/engine.ts";
    import OnboardWizard from "#app/wizards/onboard_wizard.ts"; import OrderWizard from "#app/wizards/order_wizard.ts"; import ImportWizard from "#app/wizards/import_wizard.ts"; import AdmitWizard from "#app/wizards/admit_wizard.ts";
    export default OfficePortal.routes.draw((routes) => {
      routes.root({ to: "dashboard#index" });
      routes.registerWizard(OnboardWizard, { at: "onboard" }); routes.registerWizard(OrderWizard, { at: "order" }); routes.registerWizard(ImportWizard, { at: "import" });
      routes.registerWizard(AdmitWizard, { at: "admit" });
    });`,
  "packages/office_portal/app/controllers/office_portal/concerns/controller.ts": `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController, PublicAccess } from "framewright/plugins/portals"; import User from "#app/models/user.ts"; import { arrived } from "#app/seams.ts";
    export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, PublicAccess, CurrentUser(async (request) => ++arrived.requests && (await User.query().findById(Number(request.header("x-user") ?? 0))) as object | undefined));`,
  "packages/office_portal/app/controllers/office_portal/dashboard_controller.ts": `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts";
    export default class DashboardController extends Controller(BaseController) { index() { return this.json({ here: true }); } }`,
  "packages/office_portal/app/controllers/office_portal/resource_controller.ts": `import { ResourceController as Base } from "framewright/plugins/resources"; import Controller from "./concerns/controller.ts";
    export default class ResourceController extends Controller(Base) {}`,
};

export const PEOPLE = 3;

/** Migrates an application's database, with some users in it. */
export async function migrateRuns(root: string, values: Record<string, string>): Promise<void> {
  const app = await openApp(root, { values });
  const database = app.application.kernel.service("database");
  await database.migrations.up();
  for (let id = 1; id <= PEOPLE; id++) await database.knex("users").insert({ name: `user ${id}` });
  await app.close();
}

export interface RunsApp extends TestApp {
  /** A request of a user, as JSON without cookies: it needs no token, and no page before it. */
  as(user: number, method: string, path: string, body?: object): Promise<Response>;
  /** POST of a step; what is typed under `wizard`. */
  send(user: number, path: string, typed?: object, direction?: string): Promise<Response>;
  rows(table: string): Promise<Record<string, unknown>[]>;
  moments: Record<string, ((run: { wizard: string }) => void | Promise<void>) | undefined>;
  events: { kind: string; wizard: string; step: string | undefined }[];
  /** How many requests came so far. */
  arrived: { requests: number };
}

/** The requests of users, by a header. */
export function requests(url: string) {
  const as = (user: number, method: string, path: string, body?: object) =>
    fetch(url + path, {
      method,
      redirect: "manual",
      headers: { "x-user": String(user), accept: "application/json", "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const send = (user: number, path: string, typed: object = {}, direction?: string) =>
    as(user, "POST", path, { wizard: typed, ...(direction === undefined ? {} : { _direction: direction }) });
  return { as, send };
}

export async function openRunsApp(
  values: Record<string, string>,
  changes: Record<string, string> = {},
  root = writeApp({ ...runsFiles, ...changes }),
): Promise<RunsApp> {
  if (values.migrated !== "yes") await migrateRuns(root, values);
  const app = await openApp(root, { values });
  const { moments, events, arrived } = await import(join(root, "app/seams.ts"));
  events.length = 0;
  const { knex } = app.application.kernel.service("database");
  return { ...app, ...requests(app.url), moments, events, arrived, rows: (table) => knex(table).orderBy("id") };
}

export const whereTo = (answer: Response): string => `${answer.status} ${answer.headers.get("location") ?? ""}`.trim();

interface Around {
  after(body: () => Promise<void>): void;
}
interface It {
  unless(reason: string | undefined, sentence: string, body: () => Promise<void>): void;
}
const emptied = ["invoices", "companies", ...["runs", "events", "leases"].map((name) => `framewright_wizard_${name}`)];

/** Stories on one application, each with no run in it. */
export function stories(base: TestDatabase, it: It, { after }: Around) {
  let app: RunsApp | undefined;
  after(async () => {
    await app?.close();
    await base.clean();
  });
  return (sentence: string, tell: (app: RunsApp) => Promise<void>): void =>
    it.unless(base.skip, sentence, async () => {
      app ??= await openRunsApp(await base.values());
      const { knex } = app.application.kernel.service("database");
      for (const table of emptied) await knex(table).delete();
      for (const moment of Object.keys(app.moments)) delete app.moments[moment];
      app.events.length = 0;
      await tell(app);
    });
}
