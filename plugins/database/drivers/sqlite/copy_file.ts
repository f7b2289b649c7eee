import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Knex } from "knex";
import { errors } from "../../errors.ts";
import type { ConnectionOptions } from "../connection.ts";
import type { DatabaseCopy } from "../copy_database.ts";
import { connectSqlite } from "./connect.ts";

const ATTEMPTS = 3;

/** Copies the file with its write-ahead log. @throws FW_DATABASE_COPY */
export async function copySqlite(file: string, options: ConnectionOptions): Promise<DatabaseCopy> {
  const folder = mkdtempSync(join(tmpdir(), "fw-copy-"));
  const remove = async () => rmSync(folder, { recursive: true, force: true });
  const name = join(folder, "copy.sqlite3");
  const copied = { ...options, url: `sqlite:${name}` };
  try {
    for (let attempt = 1; !(await copyFiles(file, name, copied)); attempt++)
      if (attempt === ATTEMPTS) throw errors.FW_DATABASE_COPY(`${file} is being written. Stop what writes it`);
  } catch (error) {
    await remove();
    throw error;
  }
  const isOpenedBy = async (knex: Knex) => {
    const [{ file: opened }] = (await knex.raw("pragma database_list")) as [{ file: string }];
    return opened.endsWith(name);
  };
  return { options: copied, name, without: undefined, isOpenedBy, remove };
}

/** Copies file and log, since a connection to the original would write the log back when it closes. False when the copy is torn. */
async function copyFiles(file: string, target: string, options: ConnectionOptions): Promise<boolean> {
  for (const ending of ["", "-wal", "-shm"]) rmSync(target + ending, { force: true });
  if (file === ":memory:" || !existsSync(file)) return true; // the copy is empty as well
  copyFileSync(file, target);
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${target}-wal`);
  const knex = connectSqlite(target, options);
  try {
    const [{ quick_check: result }] = (await knex.raw("pragma quick_check(1)")) as [{ quick_check: string }];
    return result === "ok";
  } catch {
    return false;
  } finally {
    await knex.destroy();
  }
}
