import type { RequestContext } from "framewright/host";
import type { AsyncSeriesHook, SyncHook } from "framewright/kernel";
import type { AccountLine } from "./account_sections.ts";
import type { AccountName, AccountOf, AccountRecord, AccountType, AccountTypes } from "./account_type.ts";
import type { AccountAdministration, AdministrationOptions } from "./administration/index.ts";
import type { AuthlibBase } from "./base.ts";
import type { CreateAccount } from "./create_accounts.ts";
import type { AccountEvent } from "./events.ts";
import type { FeatureRoute } from "./feature.ts";
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
  /** The overview of a signed-in account is drawn: add lines, each with the page that it leads to. */
  lines: AsyncSeriesHook<[lines: AccountLine[], authlib: AuthlibBase]>;
  /** The routes of an account type are drawn: add pages of its signed-in accounts, or for anyone. */
  routes: SyncHook<[routes: FeatureRoute[], type: AccountType]>;
}
declare module "framewright/kernel" {
  interface Slots {
    auth: { service: Auth; hooks: AuthHooks };
  }
}
