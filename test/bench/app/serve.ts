import { openApplication, readSettings } from "framewright";
import type {} from "framewright/plugins/authlib";
import { history } from "framewright/plugins/history";
import { live } from "framewright/plugins/live";
import { presence } from "framewright/plugins/presence";
import { webhooks } from "framewright/plugins/webhooks";
import type {} from "framewright/plugins/wizards";
import standard from "framewright/plugins.config";
import { ADMIN, POSTS } from "../data.ts";
import { answerBench } from "../served.ts";

// Ours: the application in this folder as `fw start` runs it, signed in, with session, CSRF, policies and the standard shell.

const RUNS = 10_000;
const values = {
  NODE_ENV: "production",
  SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
  DATABASE_URL: `sqlite:${process.argv[2]}`,
  ALLOWED_HOSTS: "127.0.0.1",
  LOG_LEVEL: "error", // the yardsticks write no log either
};
const root = import.meta.dirname;
/** What may be on besides: `features` as the second argument. */
const features = () => [history(), live(), presence(), webhooks({ may: () => true })];
const plugins = process.argv[3] === "features" ? { plugins: [...standard, ...features()] } : {};
const application = await openApplication({ root, settings: readSettings({ root, values }), ...plugins });
const database = application.kernel.service("database");
await database.migrations.up();
await database.link();
await application.kernel.service("auth").createAccount("admin", { email: ADMIN.login }, { password: ADMIN.password });
const { knex } = database;
let queries = 0;
knex.on("query", () => queries++);
const { port } = await application.listen(0, "127.0.0.1");
const reset = async () => void (await knex("posts").where("id", ">", POSTS).delete());

/** Open runs of many people, copied from one that is there. */
async function fillRuns(): Promise<void> {
  const { id: _id, ...run } = await knex("framewright_wizard_runs").whereNotNull("started_at").first();
  const rows = Array.from({ length: RUNS }, (_, at) => {
    const claim = String(at).padStart(64, "x");
    return { ...run, claim, identity: claim, owner_id: String(at % 100) };
  });
  await knex.batchInsert("framewright_wizard_runs", rows, 20);
}
const sweep = () => application.kernel.service("wizards").engine.sweep();
const clear = () => knex("framewright_wizard_runs").delete();
answerBench({ port, queries: () => queries, reset, tasks: { fillRuns, sweep, clear } });
