import { Application, openApplication, RequestContext, readSettings } from "framewright/host";
import { definePlugin, FramewrightError } from "framewright/kernel";
import type { BaseModel, Query } from "framewright/plugins/database";
import { Client } from "./client.ts";
import type { AuditOptions } from "./tenancy_audit/index.ts";
import type { TenancyReport } from "./tenancy_audit/report.ts";

export { Client } from "./client.ts";
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
  /** A visitor with cookies of their own. */
  client(): Client;
  /**
   * A visitor who is signed in to an account type, past its pages and whatever factors they ask for:
   * `await app.signIn("user", "ann@example.com")`, or with the account's record. No password is hashed.
   * @throws FW_ACCOUNT_TYPE_UNKNOWN, FW_SIGN_IN when nobody has the login, or the account may not come in
   */
  signIn(account: string, who: string | { id: number }): Promise<Client>;
  /** A request without cookies; it follows no redirect by itself. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** A query of a model. */
  query<M extends BaseModel>(model: { new (): M }): Query<M>;
  close(): Promise<void>;
}

/** Options of `openTestApplication`. */
export interface TestOptions {
  /** The application's folder; the working directory unless told. */
  root?: string;
  /** `DATABASE_URL` unless told, else an empty SQLite database in memory. */
  database?: string;
}

/** Signs in as the account type's own login does once a password was right, and seals the session as an answer would. */
async function signIn(application: Application, url: string, account: string, who: string | { id: number }) {
  const type = application.kernel.service("auth").types.get(account, "signIn");
  const visit = { method: "POST", url: "/", headers: {}, socket: { remoteAddress: "127.0.0.1" } };
  const request = new RequestContext(application, visit as never);
  const authlib = new type.class(request, type);
  const record = await (typeof who === "string" ? authlib.findAccountByLogin(who) : authlib.findAccountById(who.id));
  if (!record || !authlib.isOpen(record)) {
    const name = typeof who === "string" ? who : `the ${account} ${who.id}`;
    throw new FramewrightError(
      "FW_SIGN_IN",
      `${name} can't sign in as ${account}. Make an account that is verified first.`,
    );
  }
  authlib.keepSession(await authlib.openSession(record, ["password"]));
  const line = await application.kernel.service("sessions").save(request.session, request);
  const client = new Client(url);
  if (line !== undefined) client.keep(line);
  return client;
}

/** Runs the migrations before the tables are read. */
const migrated = definePlugin({
  name: "testing",
  requires: ["database"],
  apply({ services, hooks }) {
    hooks.kernel.configure.tapPromise("testing", async () => {
      await services.database.migrations.up();
    });
  },
});

/** Boots an application for a test, on a database that is migrated. Close it when the tests are done. */
export async function openTestApplication({
  root = process.cwd(),
  database,
}: TestOptions = {}): Promise<TestApplication> {
  const values = { ...process.env, NODE_ENV: "test" };
  const url = database ?? process.env.DATABASE_URL ?? "sqlite::memory:";
  const settings = readSettings({ root, values: { ...values, DATABASE_URL: url } });
  const plugins = [...(await Application.pluginsOf(root, false)), migrated];
  const application = await openApplication({ root, settings, plugins });
  const { url: address } = await application.listen(0, "127.0.0.1");
  return {
    application,
    url: address,
    client: () => new Client(address),
    signIn: (account, who) => signIn(application, address, account, who),
    request: (path, init = {}) => fetch(address + path, { redirect: "manual", ...init }),
    query: (model) => application.kernel.service("database").query(model),
    close: () => application.close(),
  };
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
