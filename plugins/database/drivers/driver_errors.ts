import type { FramewrightError } from "framewright/kernel";
import { errors } from "../errors.ts";
import { withoutPassword } from "./without_password.ts";

/** FW_DATABASE_URL, for an address that a driver does not understand, and how one is written; its password is left out. */
export const invalidUrl = (url: string, form?: string): FramewrightError =>
  errors.FW_DATABASE_URL(withoutPassword(url), form);
/** FW_DATABASE_COPY, for `copy` of a driver. */
export const copyFailed = (why: string): FramewrightError => errors.FW_DATABASE_COPY(why);
/** FW_MIGRATION_LOCKED, for `migrate` of a driver that waited so many seconds. */
export const migrationLocked = (seconds: number): FramewrightError => errors.FW_MIGRATION_LOCKED(seconds);
/** FW_TRANSACTION_LOST, for a query that forgot the transaction which its one connection is in. */
export const lostTransaction = (): FramewrightError => errors.FW_TRANSACTION_LOST();
