import { randomBytes } from "node:crypto";
import { Application, openApplication, readSettings } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import { signInOffline } from "framewright/plugins/authlib";
import type { BaseModel, Query } from "framewright/plugins/database";
import type { KeptMail } from "framewright/plugins/mailer";
import { writeApplicationFiles } from "./application_files.ts";
import { Client } from "./client.ts";
import { fetchAt, type HostedInit } from "./fetch_at.ts";
import type { AuditOptions } from "./tenancy_audit/index.ts";
import type { TenancyReport } from "./tenancy_audit/report.ts";
import { emptyTestDatabase } from "./test_database.ts";

export { Client, type SentFile } from "./client.ts";
export type { HostedInit } from "./fetch_at.ts";
export { jobTables } from "./job_tables.ts";
export type { AuditOptions } from "./tenancy_audit/index.ts";
export type {
  AuditAttempt,
  AuditedRoute,
  AuditResult,
  AuditRow,
  TenancyLeak,
  TenancyReport,
  Uncovered,
} from "./tenancy_audit/report.ts";

/** An application under test: booted, migrated, listening on a port of its own. */
export interface TestApplication {
  readonly application: Application;
  readonly url: string;
  /** A visitor with cookies of their own, at the application's host or another: `app.client({ host: "acme.localhost" })`. */
  client(at?: AtHost): Client;
  /**
   * A visitor who is signed in to an account type, past its pages and whatever factors they ask for:
   * `await app.signIn("user", "ann@example.com")`, or with the account's record. No password is hashed.
   * Where tenants have hosts a session is valid at one alone: `app.signIn("user", ann, { host: "acme.localhost" })`.
   * @throws FW_ACCOUNT_TYPE_UNKNOWN, FW_SIGN_IN when nobody has the login, or the account may not come in
   */
  signIn(account: string, who: string | { id: number }, at?: AtHost): Promise<Client>;
  /** A request without cookies, at the application's host or another; it follows no redirect by itself. */
  request(path: string, init?: HostedInit): Promise<Response>;
  /** A query of a model. */
  query<M extends BaseModel>(model: { new (): M }): Query<M>;
  /** Runs the jobs that are due, and those that they enqueue; how many ended. */
  runJobs(): Promise<number>;
  /** The mails that were sent so far, the oldest first, after the jobs that send them ran. */
  mails(): Promise<readonly KeptMail[]>;
  /** The SQL statements that are sent to the database while `work` runs. */
  statements(work: () => unknown): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The host name of a visitor; unless given, that of the test application's address, or one that is served. */
export interface AtHost {
  host?: string | undefined;
}

/** Options of `openTestApplication`. */
export interface TestOptions {
  /** The application's folder; the working directory unless told. */
  root?: string;
  /**
   * The address of a database, which keeps what the test leaves. Unless told, an empty one of the test's own: on the server
   * of the process's `DATABASE_URL`, removed at the end, else SQLite in memory.
   */
  database?: string;
  /** Plugins beside those of the application's list: the one under test. */
  plugins?: readonly Plugin[];
  /**
   * Files of an application of the test's own, instead of `root`: keys are paths, values their text. Without a
   * plugins.config.ts among them, its plugins are `plugins` alone.
   */
  files?: Readonly<Record<string, string>>;
  /** Variables of the environment, over those of the process: `{ ACME_URL: "https://acme.example" }`. */
  env?: Readonly<Record<string, string>>;
}

/** Signs in as the account type's own login does once a password was right, and seals the session as an answer would. */
async function signIn(application: Application, client: Client, account: string, who: string | { id: number }) {
  const host = client.host ?? new URL(client.url).host;
  const line = await signInOffline(application, { host, account, who });
  if (line !== undefined) client.keep(line);
  return client;
}

/** A host name that is served, where this machine's address is not. */
function servedHost({ settings, hosts, log }: Application, url: string): string | undefined {
  if (hosts.matcher(settings, log)(new URL(url).host)) return undefined;
  return settings.appUrl?.host ?? settings.allowedHosts.find((name) => !name.startsWith("*."));
}

/** Runs the migrations before the tables are read. */
const migrated = definePlugin({
  name: "testing",
  uses: ["database"],
  apply({ services, hooks, tap }) {
    tap(hooks.kernel.configure, async () => void (await services.database?.migrations.up()));
  },
});

async function statementsOf(application: Application, work: () => unknown): Promise<string[]> {
  const { knex } = application.kernel.service("database", "statements()");
  const statements: string[] = [];
  const listen = ({ sql }: { sql: string }) => void statements.push(sql);
  knex.on("query", listen);
  try {
    await work();
  } finally {
    knex.removeListener("query", listen);
  }
  return statements;
}

/** Boots an application for a test, on a database that is migrated. Close it when the tests are done. */
export async function openTestApplication({
  files,
  root = files ? writeApplicationFiles(files) : process.cwd(),
  database,
  plugins = [],
  env = {},
}: TestOptions = {}): Promise<TestApplication> {
  const secret = files ? { SECRET_KEY_BASE: randomBytes(32).toString("hex") } : {};
  const isListed = !files || "plugins.config.ts" in files;
  const all = [...(isListed ? await Application.pluginsOf(root, false) : []), ...plugins];
  const values = { ...secret, ...process.env, NODE_ENV: "test", ...env };
  const named = database ?? env.DATABASE_URL;
  const own = named === undefined ? await emptyTestDatabase(root, values, all) : undefined;
  const settings = readSettings({ root, values: { ...values, DATABASE_URL: named ?? own!.url } });
  const application = await openOr(() => own?.remove(), { root, settings, plugins: [...all, migrated] });
  const { url: address } = await application.listen(0, "127.0.0.1");
  const { kernel } = application;
  const usual = servedHost(application, address);
  const client = ({ host = usual }: AtHost = {}) => new Client(address, { host });
  const runJobs = () => kernel.service("jobs", "runJobs()").drain();
  return {
    application,
    url: address,
    client,
    signIn: (account, who, at) => signIn(application, client(at), account, who),
    request: (path, init) => fetchAt(address + path, { host: usual, ...init }),
    query: (model) => kernel.service("database").query(model),
    runJobs,
    async mails() {
      await runJobs();
      return kernel.service("mailer", "mails()").kept;
    },
    statements: (work) => statementsOf(application, work),
    async close() {
      await application.close();
      await own?.remove();
    },
  };
}

/** Opens an application; undoes what was made for it where it does not boot. */
async function openOr(undo: () => unknown, options: Parameters<typeof openApplication>[0]): Promise<Application> {
  try {
    return await openApplication(options);
  } catch (error) {
    await undo();
    throw error;
  }
}

/**
 * Drives every route of the scoped portals as people of one tenant, on a copy of the application's database, and reports
 * what shows or changes something of another: `assert.deepEqual((await auditTenancy()).leaks, [])`. No other application
 * may be open in the process. @throws FW_AUDIT_PORTAL, FW_AUDIT_TENANT, FW_DATABASE_COPY
 */
export async function auditTenancy(options: AuditOptions = {}): Promise<TenancyReport> {
  const { runAudit } = await import("./tenancy_audit/index.ts");
  return runAudit(options);
}
