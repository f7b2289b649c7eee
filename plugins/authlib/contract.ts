import type { RequestContext } from "framewright/host";
import type { AsyncSeriesHook } from "framewright/kernel";
import type { AccountName, AccountOf, AccountRecord, AccountTypes } from "./account_type.ts";
import type { AccountAdministration, AdministrationOptions } from "./administration/index.ts";
import type { CreateAccount } from "./create_accounts.ts";
import type { AccountEvent } from "./events.ts";
import type { SignUp } from "./features/create_account/index.ts";
import type { SealedCount } from "./secret_rotation.ts";

/** The service of the slot `auth`. */
export interface Auth {
  /** The account types that the application lists. */
  readonly types: AccountTypes;
  /** Creates an account without a form, for the command line and for seeds. Returns a link to set a password where none was given. */
  createAccount: CreateAccount;
  /**
   * Signs up from a form of your own, as the page does: `signUp(request, "user", { login, values, transaction })`.
   * @throws FW_SIGN_UP without createAccount()
   */
  signUp(request: RequestContext, type: string, who: SignUp): Promise<AccountRecord | undefined>;
  /**
   * What administrators do to accounts of a type: `await auth.accounts("user").removeFactors("ann@shop.example")`.
   * @throws FW_ACCOUNT_TYPE_UNKNOWN
   */
  accounts<const N extends AccountName | (string & {})>(
    type: N,
    options?: AdministrationOptions,
  ): AccountAdministration<AccountOf<N>>;
  /** Re-encrypts everything that depends on a previous SECRET_KEY_BASE. It may be stopped and run again. */
  reseal(): Promise<SealedCount[]>;
}
/** The hooks of the slot `auth`. */
export interface AuthHooks {
  /** After an event of an account is stored, as a login or a new password. */
  account: AsyncSeriesHook<[event: AccountEvent]>;
}
declare module "framewright/kernel" {
  interface Slots {
    auth: { service: Auth; hooks: AuthHooks };
  }
}
