import {
  AuthenticatedBy,
  type BaseController,
  type ControllerClass,
  camelize,
  csrfInput,
  type Mixin,
  type Reply,
  type RequestContext,
} from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { accountUrl } from "./account_shell.ts";
import type { AccountName, AccountOf } from "./account_type.ts";
import { authlibOf, knownAuthlib } from "./authlib_for_request.ts";
import type { AuthlibBase } from "./base.ts";
import type { ConfirmedOptions } from "./core/confirmation.ts";
import { errors } from "./errors.ts";
import { hasPendingForms, offerPendingForm } from "./pending_forms.ts";
import { profileOf } from "./profile_of.ts";
import { authlibView } from "./template_locals.ts";

type Camelize<S extends string> = S extends `${infer A}_${infer B}` ? `${Capitalize<A>}${Camelize<B>}` : Capitalize<S>;

type ProfileOf<A> = A extends { profile?: infer P } ? NonNullable<P> : BaseModel;

/** What `Authlib("admin")` adds to a controller. `currentAdmin` is `currentUser` by the account type's name. */
export type AuthlibConcern<N extends string> = {
  currentUser: AccountOf<N>;
  /** For sensitive actions: undefined where the person has recently confirmed their identity, else the reply that asks for it. */
  confirmed(options?: ConfirmedOptions): Promise<Reply | undefined>;
  /** The library object: the signed-in account, and every step. */
  readonly authlib: AuthlibBase;
  readonly logoutUrl: string;
  /** Undefined until a profile is connected to the portal. */
  readonly profileUrl: string | undefined;
  /** The account's `profile`, read once a request and left at `currentUser.profile`; undefined where it has none. */
  profile(): Promise<ProfileOf<AccountOf<N>> | undefined>;
} & { readonly [K in `current${Camelize<N>}`]: AccountOf<N> };

/** The account type of a name; `where` is quoted in the error. @throws FW_ACCOUNT_TYPE_UNKNOWN */
export const accountTypeFor = (request: RequestContext, name: string, where: string) =>
  request.kernel.service("auth").types.get(name, where);

/** A concern that requires a signed-in account of this type. @throws FW_ACCOUNT_TYPE_UNKNOWN at boot */
export function Authlib<const N extends AccountName>(name: N): Mixin<AuthlibConcern<N>> {
  const current = `current_${name}`;
  return (Base) => {
    class WithAccount extends (AuthenticatedBy("authlib", { account: name })(
      Base as ControllerClass,
    ) as ControllerClass) {
      static beforeActions: typeof BaseController.beforeActions = ["confirmListed"];
      get authlib(): AuthlibBase {
        return (
          knownAuthlib(this.request, name) ??
          authlibOf(this.request, accountTypeFor(this.request, name, this.constructor.name))
        );
      }
      async confirmed(options?: ConfirmedOptions): Promise<Reply | undefined> {
        return this.authlib.confirmed(options);
      }
      /** Requires a confirmation for the actions that `static confirms` lists, by their name or an interaction's. */
      async confirmListed(): Promise<void> {
        if (this.request.isBackground) return; // confirmed when it was requested
        const { confirms = [] } = this.constructor as { confirms?: readonly string[] };
        const { action_key } = this.request.routeParams;
        if (!confirms.includes(this.actionName) && !confirms.includes(action_key ?? "")) return;
        const asked = await this.confirmed();
        if (asked) this.answer(asked);
      }
      get logoutUrl(): string {
        return this.authlib.type.path("logout");
      }
      get profileUrl(): string | undefined {
        const { application, engine } = this.request;
        if (!application.paths.hasSingular(engine?.name, "profile")) return undefined;
        return application.paths.path(engine?.name, "profile", [], this.request);
      }
      profile(): Promise<BaseModel | undefined> {
        return profileOf(this);
      }
      override async findCurrentUser() {
        const account = await super.findCurrentUser();
        if (!account) this.answer(await this.authlib.requireAuthentication());
        else if (hasPendingForms(this.session) && !this.request.acting) await offerPendingForm(this.authlib);
        return account;
      }
      override pageLocals(): Record<string, unknown> {
        const { authlib, logoutUrl, profileUrl } = this;
        const locals: Record<string, unknown> = { ...super.pageLocals() };
        locals.authlib = authlibView(authlib);
        locals.logout_url = logoutUrl;
        if (profileUrl !== undefined) locals.profile_url = profileUrl;
        locals[current] = this.currentUser;
        locals.user_menu = userMenu(this, authlib, profileUrl);
        return locals;
      }
    }
    Object.defineProperty(WithAccount.prototype, `current${camelize(name)}`, {
      get(this: WithAccount) {
        return this.currentUser;
      },
    });
    return WithAccount as never;
  };
}

/**
 * Checks `static confirms` of a controller: in another authentication mode, or with an unknown name, it would protect
 * nothing. The resource checks the names of its own actions. @throws FW_CONFIRMS
 */
export function checkConfirms(controller: ControllerClass, mode: string | undefined): void {
  const { confirms = [] } = controller as { confirms?: readonly string[] };
  if (confirms.length === 0) return;
  if (mode !== "authlib")
    throw errors.FW_CONFIRMS(controller.name, `and is not authenticated by authlib. Add Authlib("<account>") to it.`);
  const unknown = confirms.find((name) => !(name in controller.prototype));
  if (unknown !== undefined && !("registration" in controller.prototype))
    throw errors.FW_CONFIRMS(
      controller.name,
      `and lists "${unknown}" there, which is no action of it. Name one of its methods.`,
    );
}

/** The links of the user menu in the layout. */
export function userMenu({ request }: { request: RequestContext }, authlib: AuthlibBase, profileUrl?: string) {
  const { type } = authlib;
  const logout = type.path("logout");
  const csrf = csrfInput(request, logout);
  return [
    ...(profileUrl === undefined
      ? []
      : [{ label: authlib.t("menu.profile"), url: profileUrl, icon: "user", order: 10 }]),
    ...(authlib.isActing
      ? []
      : [{ label: authlib.t("menu.account"), url: accountUrl(type, request), icon: "settings", order: 20 }]),
    ...(type.has("logout")
      ? [{ label: authlib.t("menu.logout"), url: logout, icon: "logout", method: "post", csrf, order: 90 }]
      : []),
  ];
}
