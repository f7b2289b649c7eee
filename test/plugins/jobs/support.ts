import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kernel, openKernel, type Plugin, type Settings } from "framewright/kernel";
import { type Database, database } from "framewright/plugins/database";
import { type Jobs, type JobsOptions, jobs } from "framewright/plugins/jobs";
import { driverPlugins } from "../../support/databases.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/jobs/schema.liquid"), "utf8");

const migrationOf = (tables: string) => `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema): Promise<void> {
${tables}  await db.createTable("marks", (t) => { t.id(); t.bigint("job").notNull(); t.integer("process").notNull(); });
}
export async function down(db: Schema): Promise<void> {
  await db.dropTable("framewright_job_schedules");
  await db.dropTable("framewright_jobs");
}
`;
/** The migration as a generator writes it, with a table where tests note what was done. */
export const jobsMigration = migrationOf(schema);
/** The same of an earlier release, which had no schedules. */
export const jobsMigrationBefore = migrationOf(
  schema.slice(0, schema.indexOf('  await db.createTable("framewright_job_schedules"')),
);

export function jobsRoot(migration = jobsMigration): string {
  const root = mkdtempSync(join(tmpdir(), "fw-jobs-"));
  mkdirSync(join(root, "db/migrate"), { recursive: true });
  writeFileSync(join(root, "db/migrate/20260101000000_create_framewright_jobs.ts"), migration);
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  return root;
}

export interface OpenedJobs {
  kernel: Kernel;
  jobs: Jobs;
  database: Database;
}
export interface OpenJobsOptions extends JobsOptions {
  secrets?: readonly string[];
  plugins?: readonly Plugin[];
}
export const secret = "a secret of at least thirty-two bytes";

/** Two of these on one database are two nodes: each has its own connections and its own name. */
export async function openJobs(
  root: string,
  url: string,
  { secrets = [secret], plugins = [], ...options }: OpenJobsOptions = {},
): Promise<OpenedJobs> {
  const settings = { root, env: "test", databaseUrl: url, secrets, values: process.env } as unknown as Settings;
  const kernel = await openKernel(
    [database(), ...(await driverPlugins(settings.databaseUrl)), jobs(options), ...plugins],
    { settings },
  );
  return { kernel, jobs: kernel.service("jobs"), database: kernel.service("database") };
}

/** 20 schedules, of so many hours that none is due while a test runs, unless that says so. */
export function declareMarks(jobs: Jobs): void {
  for (let n = 1; n <= 20; n++) jobs.every(`mark-${n}`, { kind: "mark", hours: 700 + n });
}
