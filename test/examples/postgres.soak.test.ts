import { spawn } from "node:child_process";
import { join } from "node:path";
import { assert, describe, reasonToSkip } from "../support/index.ts";

// The suites of the database, of resources and of what has tables of the framework, on PostgreSQL: on the server of
// FW_TEST_POSTGRES_URL, and those of the database in the process where there is none.

const withoutServer = await reasonToSkip("postgres");
const withoutPglite = await reasonToSkip("pglite");
const root = join(import.meta.dirname, "../..");
const MAX_MS = 20 * 60_000;

const ofDatabase = ["plugins/database"];
const ofResources = ["resources", "registration", "lists", "paging", "fields", "keys", "slugs", "interactions"];
const others = ["resources/background.test", "dashboards/counts", "jobs/jobs", "jobs/schedules", "wizards/runs.test"];
const accounts = ["wizards/store", "authlib/mailed_keys", "authlib/sessions_page", "scoping/tenancy"];

/** Runs test files in a process of their own; what they printed, and whether all passed. */
function suite(
  database: "postgres" | "pglite",
  files: readonly string[],
): Promise<{ passed: boolean; output: string }> {
  const loader = join(root, "test/support/loader.js");
  const run = ["--conditions=framewright-source", "--import", loader, join(root, "test/support/run.ts"), ...files];
  const env = { ...process.env, FW_TEST_DATABASES: database, FW_TEST_DEADLINE: "180000" };
  const child = spawn(process.execPath, run, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk));
  return new Promise((resolve) => child.once("close", (code) => resolve({ passed: code === 0, output })));
}

async function assertPasses(database: "postgres" | "pglite", files: readonly string[]): Promise<void> {
  const { passed, output } = await suite(database, files);
  assert.ok(passed, output);
}

describe("The suites on PostgreSQL", (it) => {
  const onServer = (sentence: string, files: readonly string[]) =>
    it.unless(withoutServer, sentence, () => assertPasses("postgres", files), MAX_MS);
  onServer("The suite of the database passes on a server", ofDatabase);
  onServer(
    "The suites of resources pass on a server",
    ofResources.map((name) => `plugins/resources/${name}.test`),
  );
  onServer("Jobs, runs in the background, wizards and dashboards pass on a server", others);
  onServer("Accounts, tenants and the store of wizards pass on a server", accounts);
  it.unless(
    withoutServer === undefined ? "it ran on a server" : withoutPglite,
    "The essentials of the database pass in the process",
    () => assertPasses("pglite", ["database/connection", "database/models"]),
    MAX_MS,
  );
});
