import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Backups } from "framewright/plugins/database";
import { errors } from "../errors.ts";

const FOLDER = "storage/backups";
const TIME = String.raw`\d{8}T\d{9}Z`;
const PART = /^\..+\.part$/;
/** A backup that takes longer than a day counts as dead. */
const MAX_PART_AGE_MS = 86_400_000;

/** Where a backup goes: the named file, or a file of its own in the named folder, by default storage/backups. */
export function backupFile(root: string, backups: Backups, given?: string): string {
  const isFolder = given?.endsWith("/") || (given !== undefined && existsSync(given) && statSync(given).isDirectory());
  if (given !== undefined && !isFolder) return resolve(given);
  const { name, extension } = backups.names();
  const time = new Date().toISOString().replaceAll(/[-:.]/g, "");
  return join(given === undefined ? folderOf(root) : resolve(given), `${name}-${time}.${extension}`);
}

/** Its files are never committed, whatever the application's .gitignore has. */
function folderOf(root: string): string {
  const folder = join(root, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(join(folder, ".gitignore"))) writeFileSync(join(folder, ".gitignore"), "*\n");
  return folder;
}

/** Writes a backup. Under its name is a whole file or none, which only its user reads. Returns its size. @throws FW_BACKUP_EXISTS */
export async function writeBackup(backups: Backups, file: string): Promise<number> {
  if (existsSync(file)) throw errors.FW_BACKUP_EXISTS(file);
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeParts(folder);
  const part = join(folder, `.${randomBytes(6).toString("hex")}.part`);
  const remove = () => rmSync(part, { force: true });
  process.once("exit", remove);
  try {
    closeSync(openSync(part, "wx", 0o600));
    await backups.save(part);
    flush(part);
    renameSync(part, file);
  } finally {
    remove();
    process.off("exit", remove);
  }
  return statSync(file).size;
}

function flush(file: string): void {
  const opened = openSync(file, "r+");
  fsyncSync(opened);
  closeSync(opened);
}

/** What processes left that were killed. */
function removeParts(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (PART.test(name) && Date.now() - statSync(path).mtimeMs > MAX_PART_AGE_MS) rmSync(path, { force: true });
  }
}

/** Removes all but the newest backups of this database in a folder, and returns their names. */
export function removeOlder(folder: string, backups: Backups, keep: number): string[] {
  const { name, extension } = backups.names();
  const start = `${name}-`;
  const rest = new RegExp(`^${TIME}\\.${extension}$`);
  const own = readdirSync(folder).filter((file) => file.startsWith(start) && rest.test(file.slice(start.length)));
  const older = own.sort().slice(0, -keep);
  for (const file of older) rmSync(join(folder, file));
  return older;
}

/** `1.2 MB` */
export function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}
