import { FramewrightError, messageOf } from "framewright/kernel";
import type { ConnectionOptions } from "../drivers/connection.ts";
import { driverFor } from "../drivers/drivers.ts";
import { errors } from "../errors.ts";
import type { BackupFormat, BackupOptions } from "./format.ts";

/** Backups of the database in DATABASE_URL, by its driver. Nothing of it connects before a method is called. */
export class Backups {
  readonly #connection: () => ConnectionOptions;

  /** `connection` throws where a plugin connects the application to another database. */
  constructor(connection: () => ConnectionOptions) {
    this.#connection = connection;
  }

  /** What the names of its files begin and end with. @throws FW_BACKUP_DRIVER */
  names(): { name: string; extension: string } {
    const { format, options } = this.#open();
    return { name: format.nameOf(options), extension: format.extension };
  }
  /** Whether there is a database to save. @throws FW_BACKUP_DRIVER */
  isThere(): boolean {
    const { format, options } = this.#open();
    return format.isThere?.(options) ?? true;
  }
  /** Writes the database into an empty file. @throws FW_BACKUP_DRIVER, FW_BACKUP_FAILED, FW_BACKUP_TOOL */
  async save(file: string): Promise<void> {
    const { format, options } = this.#open();
    await format.save(options, file).catch(failed(errors.FW_BACKUP_FAILED));
  }
  /** @throws FW_BACKUP_DRIVER, FW_RESTORE_FILE */
  async check(file: string): Promise<void> {
    const { format, options } = this.#open();
    await format.check(options, file);
  }
  /** Replaces the database by what a file has. @throws FW_BACKUP_DRIVER, FW_RESTORE_FAILED, FW_RESTORE_IN_USE, FW_BACKUP_TOOL */
  async restore(file: string): Promise<void> {
    const { format, options } = this.#open();
    await format.restore(options, file).catch(failed(errors.FW_RESTORE_FAILED));
  }

  #open(): { format: BackupFormat; options: BackupOptions } {
    const connection = this.#connection();
    const { driver, url } = driverFor(connection);
    if (!driver.backup) throw errors.FW_BACKUP_DRIVER(driver.name);
    return { format: driver.backup, options: { ...connection, url } };
  }
}

/** A failure of a program or of the database, as one of the framework's. */
const failed = (as: (why: string) => Error) => (error: unknown) => {
  throw error instanceof FramewrightError ? error : Object.assign(as(messageOf(error)), { cause: error });
};
