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
import type { AccountName, AccountOf } from "./account_type.ts";
import { authlibOf, knownAuthlib } from "./authlib_for_request.ts";
import type { AuthlibBase } from "./base.ts";
import type { ConfirmedOptions } from "./core/confirmation.ts";
import { errors } from "./errors.ts";
import { holdsForms, offerForm } from "./pending_forms.ts";
import { authlibView } from "./template_locals.ts";

type Camelize<S extends string> = S extends `${infer A}_${infer B}` ? `${Capitalize<A>}${Camelize<B>}` : Capitalize<S>;

/** What `Authlib("admin")` gives a controller; `currentAdmin` is `currentUser`, by the account's own name. */
export type AuthlibFace<N extends string> = {
  currentUser: AccountOf<N>;
  /** Before a deed that matters: undefined where the person confirmed lately who they are, else the answer that asks. */
  confirmed(options?: ConfirmedOptions): Promise<Reply | undefined>;
  /** The library object: who is signed in, and every step. */
  readonly authlib: AuthlibBase;
  readonly logoutUrl: string;
  /** Absent until a profile is connected to the portal. */
  readonly profileUrl: string | undefined;
} & { readonly [K in `current${Camelize<N>}`]: AccountOf<N> };

/** The account type of a name, for whoever serves this request. @throws FW_ACCOUNT_TYPE_UNKNOWN */
export const typeOf = (request: RequestContext, name: string, where: string) =>
  request.kernel.service("auth").types.get(name, where);

/** Asks for a signed-in account of this type. @throws FW_ACCOUNT_TYPE_UNKNOWN at boot */
export function Authlib<const N extends AccountName>(name: N): Mixin<AuthlibFace<N>> {
  const current = `current_${name}`;
  return (Base) => {
    class WithAccount extends (AuthenticatedBy("authlib", { account: name })(
      Base as ControllerClass,
    ) as ControllerClass) {
      static beforeActions: typeof BaseController.beforeActions = ["confirmListed"];
      get authlib(): AuthlibBase {
        return (
          knownAuthlib(this.request, name) ?? authlibOf(this.request, typeOf(this.request, name, this.constructor.name))
        );
      }
      async confirmed(options?: ConfirmedOptions): Promise<Reply | undefined> {
        return this.authlib.confirmed(options);
      }
      /** The actions that `static confirms` lists, by their own name or by that of an interaction. */
      async confirmListed(): Promise<void> {
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
        if (!application.paths.has(engine?.name, "profile")) return undefined;
        return application.paths.path(engine?.name, "profile", [], this.request);
      }
      override async findCurrentUser() {
        const account = await super.findCurrentUser();
        if (!account) this.answer(await this.authlib.requireAuthentication());
        else if (holdsForms(this.session)) await offerForm(this.authlib);
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
 * Holds `static confirms` against the controller that lists actions there: in another mode, or by a name that is
 * nobody's, it would guard nothing. Names of a resource's actions are the resource's to check. @throws FW_CONFIRMS
 */
export function checkConfirms(controller: ControllerClass, mode: string | undefined): void {
  const { confirms = [] } = controller as { confirms?: readonly string[] };
  if (confirms.length === 0) return;
  if (mode !== "authlib")
    throw errors.FW_CONFIRMS(
      controller.name,
      `and does not know by authlib who is signed in. Add Authlib("<account>") to it.`,
    );
  const unknown = confirms.find((name) => !(name in controller.prototype));
  if (unknown !== undefined && !("registration" in controller.prototype))
    throw errors.FW_CONFIRMS(
      controller.name,
      `and no action "${unknown}", which it lists there. Name a method that it has.`,
    );
}

/** What the layout's menu of a signed-in person leads to. */
export function userMenu({ request }: { request: RequestContext }, authlib: AuthlibBase, profileUrl?: string) {
  const { type } = authlib;
  const logout = type.path("logout");
  const csrf = csrfInput(request, logout);
  return [
    ...(profileUrl === undefined ? [] : [{ label: authlib.t("menu.profile"), url: profileUrl, icon: "user" }]),
    { label: authlib.t("menu.account"), url: type.path("account"), icon: "settings" },
    ...(type.has("logout")
      ? [{ label: authlib.t("menu.logout"), url: logout, icon: "logout", method: "post", csrf }]
      : []),
  ];
}
