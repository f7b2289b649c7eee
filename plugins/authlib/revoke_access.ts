import type { BaseModel } from "framewright/plugins/database";
import type { AccountRecord, AccountTypes } from "./account_type.ts";
import { offlineAuthlib } from "./create_accounts.ts";

/**
 * Revokes all credentials, password and factors of an account that was closed through a portal. An account that is
 * reopened there gets its login back; its owner sets a password by mail.
 */
export async function revokeDisabledAccount(types: AccountTypes, record: BaseModel): Promise<void> {
  for (const type of types.all()) {
    if (!(record instanceof type.model.class)) continue;
    const account = record as unknown as AccountRecord;
    const authlib = offlineAuthlib(type);
    if (account.account_status === undefined || authlib.isUnverified(account)) continue;
    const { database } = type.services;
    if (authlib.isOpen(account)) {
      if (authlib.formerLogin(account) !== undefined)
        await database.transaction((transaction) => authlib.restoreLogin(account, transaction));
      continue;
    }
    if (await database.transaction((transaction) => authlib.closeCredentials(account, transaction)))
      await authlib.emitEvent("sessions_revoked", { which: "disabled" }, account);
  }
}
