import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kernel, openKernel, type Plugin, type Settings } from "framewright/kernel";
import { type Database, database } from "framewright/plugins/database";
import { type Limits, limits } from "framewright/plugins/limits";
import { driverPlugins } from "../../support/databases.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/limits/schema.liquid"), "utf8");
/** The migration as the generator writes it. */
export const limitsMigration = `export async function up(db) {\n${schema}}\nexport async function down() {}\n`;

export function limitsRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "fw-limits-"));
  mkdirSync(join(root, "db/migrate"), { recursive: true });
  writeFileSync(join(root, "db/migrate/20260101000000_create_framewright_limits.js"), limitsMigration);
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  return root;
}

export interface OpenedLimits {
  kernel: Kernel;
  limits: Limits;
  database: Database;
}

/** Limits in rows of a database. Two of these on one address are two processes to it. */
export async function openLimits(
  url: string,
  { root = limitsRoot(), plugins = [limits()] }: { root?: string; plugins?: readonly Plugin[] } = {},
): Promise<OpenedLimits> {
  const secrets = ["a secret of at least thirty-two bytes"];
  const settings = { root, env: "test", databaseUrl: url, secrets, values: process.env } as unknown as Settings;
  const kernel = await openKernel([database(), ...(await driverPlugins(url)), ...plugins], { settings });
  return { kernel, limits: kernel.service("limits"), database: kernel.service("database") };
}
