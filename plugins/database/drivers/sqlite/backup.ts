import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, extname } from "node:path";
import { messageOf } from "framewright/kernel";
import type { BackupFormat, BackupOptions } from "../../backups/format.ts";
import { errors } from "../../errors.ts";
import { sqliteFile } from "./connect.ts";
import { sqliteLibrary } from "./library/choose.ts";
import type { Connection } from "./library/library.ts";

const BUSY_TIMEOUT_MS = 2000;

export const sqliteBackup: BackupFormat = {
  extension: "sqlite3",
  nameOf: (options) => {
    const file = fileOf(options);
    return basename(file, extname(file));
  },
  isThere: (options) => existsSync(fileOf(options)),
  async save(options, file) {
    const source = fileOf(options);
    if (!existsSync(source)) throw errors.FW_BACKUP_FAILED(`there is no file ${source}`);
    // One read transaction: writers do not wait for it.
    const target = file.replaceAll("'", "''");
    await onFile(source, options, (connection) => connection.exec(`vacuum into '${target}'`));
  },
  async check(options, file) {
    let result: unknown = "it is shorter than its header says, or no file of SQLite";
    try {
      if (isWhole(file)) result = await onFile(file, options, (connection) => pragma(connection, "quick_check(1)"));
    } catch (error) {
      result = messageOf(error);
    }
    if (result !== "ok") throw errors.FW_RESTORE_FILE(file, String(result));
  },
  async restore(options, file) {
    const target = fileOf(options);
    mkdirSync(dirname(target), { recursive: true });
    const next = `${target}.${process.pid}.part`;
    try {
      copyFileSync(file, next);
      if (existsSync(target)) await whileAlone(target, options, () => replace(next, target));
      else renameSync(next, target);
    } finally {
      rmSync(next, { force: true });
    }
  },
};

/** quick_check reads what is missing of the last page as zeros. */
function isWhole(file: string): boolean {
  const header = Buffer.alloc(100);
  const opened = openSync(file, "r");
  try {
    readSync(opened, header);
  } finally {
    closeSync(opened);
  }
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16); // 1: the size that has no room there
  const isSqlite = header.toString("latin1", 0, 15) === "SQLite format 3";
  return isSqlite && statSync(file).size >= pageSize * header.readUInt32BE(28);
}

/** @throws FW_BACKUP_FAILED for a database in memory */
function fileOf({ url, root }: BackupOptions): string {
  const file = sqliteFile(url, root);
  if (file === ":memory:") throw errors.FW_BACKUP_FAILED("it is in memory");
  return file;
}

/** Mode and owner stay those of the file that was there. */
function replace(next: string, target: string): void {
  const { mode, uid, gid } = statSync(target);
  chmodSync(next, mode & 0o777);
  if (process.getuid?.() === 0) chownSync(next, uid, gid);
  renameSync(next, target);
}

/**
 * Each connection of the framework keeps the write-ahead log open; the last one alone may end it. So what is open elsewhere
 * is noticed without anybody's help, and what is open while the file is replaced would write into the one of before.
 * @throws FW_RESTORE_IN_USE
 */
async function whileAlone(file: string, options: BackupOptions, work: () => void): Promise<void> {
  await onFile(file, options, (connection) => {
    let mode: unknown;
    try {
      mode = pragma(connection, "journal_mode = delete");
      connection.exec("begin exclusive");
    } catch (error) {
      if (/SQLITE_(?:CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code)))
        mode = "delete"; // lost already
      else throw errors.FW_RESTORE_IN_USE(`a process has ${file} open`);
    }
    if (mode !== "delete") throw errors.FW_RESTORE_IN_USE(`a process has ${file} open`);
    work();
  });
}

const pragma = (connection: Connection, text: string): unknown =>
  Object.values(connection.prepare(`pragma ${text}`).all([])[0] as object)[0]; // all: a statement that is not at its end keeps a lock

async function onFile<T>(file: string, options: BackupOptions, work: (connection: Connection) => T): Promise<T> {
  const connection = sqliteLibrary(options.sqlite).open(file);
  try {
    connection.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return work(connection);
  } finally {
    connection.close();
  }
}
