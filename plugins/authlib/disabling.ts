import type { BaseModel } from "framewright/plugins/database";
import type { AccountRecord, AccountTypes } from "./account_type.ts";
import { offlineAuthlib } from "./making.ts";

/**
 * An account that is closed through a portal loses every way in at once, and does not get them back when it is opened
 * again.
 */
export async function endDisabled(types: AccountTypes, record: BaseModel): Promise<void> {
  for (const type of types.all()) {
    if (!(record instanceof type.model.class)) continue;
    const account = record as unknown as AccountRecord;
    const authlib = offlineAuthlib(type);
    if (account.account_status === undefined || authlib.isOpen(account) || authlib.isUnverified(account)) continue;
    await type.services.database.transaction((transaction) => authlib.killCredentials(account, transaction));
    await authlib.tell("sessions_revoked", { which: "disabled" }, account);
  }
}
