import type { ConnectionOptions } from "../drivers/connection.ts";

/** The connection of a database whose address is known. */
export type BackupOptions = ConnectionOptions & { readonly url: string };

/** How a driver backs a database up, and restores it. */
export interface BackupFormat {
  /** How its files end: "sqlite3", "sql". */
  readonly extension: string;
  /** What the database is called in the names of its files. */
  nameOf(options: BackupOptions): string;
  /** Whether there is anything to save: false for a file that does not exist. True by default. */
  isThere?(options: BackupOptions): boolean;
  /**
   * Writes into a file, which exists, empty and private, what the database was at one moment, while it is in use. A password
   * is in no argument of a program. @throws FW_BACKUP_FAILED, FW_BACKUP_TOOL
   */
  save(options: BackupOptions, file: string): Promise<void>;
  /** Refuses a file that is no whole backup of this kind. @throws FW_RESTORE_FILE */
  check(options: BackupOptions, file: string): Promise<void>;
  /**
   * Replaces all tables and rows of the database by those of the file: what the file lacks is not there afterwards.
   * @throws FW_RESTORE_IN_USE, FW_RESTORE_FAILED, FW_BACKUP_TOOL
   */
  restore(options: BackupOptions, file: string): Promise<void>;
}
