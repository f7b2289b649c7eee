import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { serveApp } from "../../support/processes.ts";
import { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "../authlib/accounts.ts";
import { quick } from "../authlib/promises/support.ts";

// Of the one writer of SQLite each record of a long action has a turn, and whoever waits has the next one.

const RECORDS = 40;
const EACH_MS = 100;
const runs = readFileSync(join(import.meta.dirname, "../../../plugins/background_runs/schema.liquid"), "utf8");

const interaction = (name: string, more = "") => `export class ${name} extends Interaction { ${more} async execute() {
  await this.record.$query(this.transaction).patch({ name: "${name}" } as never);
  await new Promise((resolve) => setTimeout(resolve, ${EACH_MS}));
  return succeed(); } }`;
const files = {
  "packages/admin_portal/config/routes.ts": `import { AdminPortal } from "../lib/engine.ts"; import Part from "#app/models/part.ts";
    export default AdminPortal.routes.draw((routes) => { routes.root({ to: "home#index" }); routes.registerResource(Part); });`,
  "packages/admin_portal/app/controllers/admin_portal/parts_controller.ts": `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { ResourceController } from "framewright/plugins/resources";
    export default class PartsController extends (concern(ResourceController, PortalController, Authlib("admin" as never)) as typeof ResourceController) {}`,
  "app/models/part.ts": `import { Model } from "framewright/plugins/database"; export default class Part extends Model("parts" as never) {}`,
  "app/policies/part_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class PartPolicy extends Policy {
    override canRead() { return true; } canCheck() { return true; } canAudit() { return true; }
    override permittedAttributesForRead() { return ["name"]; } }`,
  "app/definitions/part_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import { Audit, Check } from "../../lib/checks.ts";
    export default class PartDefinition extends ResourceDefinition { override configure() { super.configure(); this.action("check", { interaction: Check, bulk: true }); this.action("audit", { interaction: Audit, bulk: true }); } }`,
  "lib/checks.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
    ${interaction("Check")} ${interaction("Audit", "static override inBackground = true;")}`,
  "db/migrate/20260102000000_create_parts.ts": `export async function up(db) { ${runs} await db.createTable("parts", (t) => { t.id(); t.string("name"); }); }
    export async function down(db) {}`,
};

for (const database of (await databases()).filter(({ name }) => name === "sqlite"))
  describe(`Turns of long actions, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let other: Awaited<ReturnType<typeof serveApp>>;
    if (database.skip === undefined) {
      before(async () => {
        const values = await database.values();
        app = await openAccounts(
          { user: { features: "login(), logout()" }, admin: { features: "login()" } },
          { values, authlib: "{ limits: false }", plugins: quick, files },
        );
        await addPeople(app, "user", "ann@example.test");
        await addPeople(app, "admin", "root@example.test");
        other = await serveApp(app.root, values);
      });
      after(async () => {
        other?.child.kill();
        await app?.close();
        await database.clean();
      });
    }
    const knex = () => databaseOf(app.application).knex;
    const countOf = async (name: string) => Number((await knex()("parts").where({ name }).count({ n: "*" }))[0]?.n);

    for (const [key, name, where] of [
      ["check", "Check", "of a request"],
      ["audit", "Audit", "in the background"],
    ] as const)
      it.unless(database.skip, `A sign-in has its turn during an action on many records ${where}`, async () => {
        await knex()("parts").delete();
        for (let n = 0; n < RECORDS; n++) await knex()("parts").insert({ name: `${n}` });
        const ids = (await knex()("parts").orderBy("id").pluck("id")) as number[];
        const root = await signIn(app, "admin", "root@example.test");
        const token = String((await root.json("/admins/account")).body.csrf_token);
        const headers = { accept: "application/json", "content-type": "application/json", "x-csrf-token": token };
        const bulk = root.request(`/admin/parts/bulk/${key}`, {
          method: "POST",
          headers,
          body: JSON.stringify({ ids }),
        });
        for (let wait = 0; (await countOf(name)) < 3 && wait < 200; wait++) await sleep(50);
        const times: number[] = [];
        for (const url of [app.url, ...Array.from({ length: 6 }, () => other.url)]) {
          const start = performance.now();
          const sent = await new Client(url).submit("/users/login", { login: "ann@example.test", password: PASSWORD });
          assert.is(sent.status, 303);
          times.push(Math.round(performance.now() - start));
        }
        const left = RECORDS - (await countOf(name));
        assert.ok(left > 0, "the action was over before");
        const sum = times.reduce((total, time) => total + time);
        assert.ok(Math.max(...times) < 2000 && sum < 3000, `the sign-ins took ${times} ms, ${left} left`);
        assert.ok([200, 202].includes((await bulk).status));
        for (let wait = 0; (await countOf(name)) < RECORDS && wait < 400; wait++) await sleep(50);
        assert.is(await countOf(name), RECORDS);
      });
  });
