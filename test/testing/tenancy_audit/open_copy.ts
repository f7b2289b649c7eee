import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Application, openApplication, readSettings } from "framewright/host";
import { FramewrightError, type Plugin, type Settings } from "framewright/kernel";
import { copyDatabase } from "framewright/plugins/database";
import { storage } from "framewright/plugins/storage";
import { connectionOf } from "../connection_of.ts";
import { auditPlugin, Recorder, recordedJobs } from "./recorder.ts";

const otherDatabase = () =>
  new FramewrightError(
    "FW_AUDIT_DATABASE",
    "a plugin connects the application to another database than its copy: nothing was audited. Leave that plugin's tap of database.connect out.",
  );

/** An application on a copy of its database. */
export interface OpenedCopy {
  readonly application: Application;
  readonly recorder: Recorder;
  /** The copy's file, or its name on the server. */
  readonly database: string;
  /** Closes the application, and removes the copy unless it is kept. */
  close(keep: boolean): Promise<void>;
}

interface Options {
  readonly root: string;
  readonly database: string | undefined;
  readonly values: Readonly<Record<string, string | undefined>>;
}

/** Opens an application where nothing that it does reaches its own database, its files, its mail server or its queue. */
export async function openCopy({ root, database, values }: Options): Promise<OpenedCopy> {
  const all = { ...values, ...(database === undefined ? {} : { DATABASE_URL: database }), SMTP_ADDRESS: "" };
  const own = readSettings({ root, values: all });
  const plugins = await Application.pluginsOf(root, false);
  const connection = await connectionOf(own, root, plugins);
  if (!connection) throw otherDatabase();
  const copy = await copyDatabase(connection);
  const files = mkdtempSync(join(tmpdir(), "fw-audit-files-"));
  const removeFiles = () => rmSync(files, { recursive: true, force: true });
  const recorder = new Recorder();
  const settings = closedSettings(own);
  try {
    const replaced = replace(plugins, { jobs: recordedJobs(recorder), storage: storage({ directory: files }) });
    const audited = [...replaced, auditPlugin(recorder, copy.options)];
    const application = await openApplication({ root, settings, plugins: audited });
    const close = async (keep: boolean) => {
      await application.close();
      removeFiles();
      if (!keep) await copy.remove();
    };
    if (await copy.isOpenedBy(application.kernel.service("database").knex))
      return { application, recorder, database: copy.name, close };
    await close(false);
    throw otherDatabase();
  } catch (error) {
    removeFiles();
    await copy.remove();
    throw error;
  }
}

/** No mail server, no public address, no limits that many requests in a row would reach. */
const closedSettings = (own: Settings): Settings => ({
  ...own,
  env: "test",
  smtp: undefined,
  secureCookies: false,
  cookies: { ...own.cookies, prefix: "" },
  allowedHosts: [],
  appUrl: own.appUrl && new URL(`http://127.0.0.1${own.basePath}/`),
});

/** The plugins with those that fill some slots replaced. */
function replace(plugins: readonly Plugin[], by: Readonly<Record<string, Plugin>>): Plugin[] {
  return plugins.map((plugin) => by[(plugin as { provides?: string }).provides ?? ""] ?? plugin);
}
