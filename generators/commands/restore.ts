import { existsSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Settings } from "framewright/kernel";
import type { Database } from "framewright/plugins/database";
import { errors, usage } from "../errors.ts";
import { backupFile, writeBackup } from "../support/backup_files.ts";
import { chooseEnvironment } from "../support/environment.ts";
import { withDatabase } from "../support/load_app.ts";
import { choose, isInteractive } from "../support/terminal.ts";
import type { CommandContext } from "./command.ts";
import { MIGRATED_FILE } from "./database.ts";

/** `fw db:restore`: replaces the database by a backup, and saves what is there before. */
export default async function restore({ args: [given], options }: CommandContext): Promise<void> {
  chooseEnvironment(options.env);
  const file = resolve(given!);
  await withDatabase(async (database, settings) => {
    if (!existsSync(file)) throw errors.FW_FILE_MISSING(file);
    await database.backups.check(file);
    await confirm(database.backups.names().name, file, settings.env, options.yes === true);
    await refuseRunning(database);
    if (options.noBackup !== true) await saveBefore(database, settings);
    await database.backups.restore(file);
    console.log(`restored ${relative(process.cwd(), file)}`);
    const pending = await database.migrations.pending();
    if (pending.length > 0) console.log(`${pending.length} migrations are pending. Run: fw db:migrate`);
    const storage = join(settings.root, "storage");
    if (existsSync(storage)) writeFileSync(join(storage, MIGRATED_FILE), new Date().toISOString());
  });
}

/** @throws FW_RESTORE_YES, FW_RESTORE_CANCELLED */
async function confirm(name: string, file: string, env: string, isConfirmed: boolean): Promise<void> {
  if (isConfirmed) return;
  if (env === "production") throw usage.FW_RESTORE_YES(name, "nothing is asked in production");
  if (!isInteractive()) throw usage.FW_RESTORE_YES(name, "there is no terminal to ask");
  const answer = await choose(
    `Replace all tables and rows of the database "${name}" by those of ${relative(process.cwd(), file)}?`,
    [
      { value: "no", label: "No" },
      { value: "yes", label: "Yes, replace it" },
    ],
    ["--yes"],
  );
  if (answer !== "yes") throw errors.FW_RESTORE_CANCELLED();
}

/** A file of SQLite knows by itself who has it open; of a server the processes that serve in production are recorded. */
async function refuseRunning({ driver, releases }: Database): Promise<void> {
  if (driver.hasOneConnection) return;
  const running = await releases.running();
  if (running.length > 0) throw errors.FW_RESTORE_SERVED(running.map(({ place }) => place));
}

async function saveBefore({ backups }: Database, { root }: Settings): Promise<void> {
  if (!backups.isThere()) return;
  const file = backupFile(root, backups);
  await writeBackup(backups, file);
  console.log(`saved what was there: ${relative(process.cwd(), file)}`);
}
