import type { RequestContext } from "framewright/host";
import type { AccountTypes } from "./account_type.ts";
import { authlibOf } from "./authlib_for_request.ts";

const COLUMN = "locale";

/** Stores the language that a person chose with the accounts that they are signed in with, where their table has a column for it. */
export async function storeLocale(types: AccountTypes, locale: string, request: RequestContext): Promise<void> {
  for (const type of types.all()) {
    if (!type.model.columns.has(COLUMN) || request.acting?.accountType === type.name) continue;
    const authlib = authlibOf(request, type);
    const account = await authlib.load();
    if (account && authlib.isSignedIn)
      await authlib.transaction((trx) => authlib.updateAccount(account, { [COLUMN]: locale }, trx));
  }
}
