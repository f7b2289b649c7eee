import {
  AuthenticatedBy,
  type BaseController,
  type ControllerClass,
  concern,
  type Mixin,
  type Reply,
  raw,
} from "framewright/host";
import type { PortalShell } from "framewright/plugins/portals";
import { accountShell, shellLayout } from "./account_shell.ts";
import type { AccountRecord, AccountType } from "./account_type.ts";
import { authlibOf } from "./authlib_for_request.ts";
import type { AuthlibBase } from "./base.ts";
import { userMenu } from "./controller.ts";
import type { FeatureRoute } from "./feature.ts";
import { authlibView } from "./template_locals.ts";

/** What `AuthlibPages` adds to a controller. */
export interface AccountPagesConcern {
  readonly authlib: AuthlibBase;
  /** The portal in whose shell the page is drawn; undefined where it is drawn alone. */
  shell: PortalShell | undefined;
}
/** The controller that serves account pages. */
export type AuthlibController = BaseController & AccountPagesConcern;

/** The concern of the controller that serves the pages of all account types: `app/controllers/authlib_controller.ts`. */
export const AuthlibPages: Mixin<AccountPagesConcern> = (Base) => {
  class Pages extends (Base as ControllerClass) {
    static viewPath = "authlib";
    static readonly accountType: AccountType | undefined = undefined;
    shell: PortalShell | undefined = undefined;

    get authlib(): AuthlibBase {
      return authlibOf(this.request, (this.constructor as typeof Pages).accountType!);
    }
    override pageLocals(): Record<string, unknown> {
      const { authlib } = this;
      const view = authlibView(authlib);
      const script = this.request.kernel.service("assets").url("authlib.js");
      const head = raw(`<meta name="turbo-cache-control" content="no-cache"><script src="${script}" defer></script>`);
      const menu = authlib.isSignedIn ? { user_menu: userMenu(this, authlib) } : {};
      const base = authlib.type.path("").slice(0, -1);
      return {
        ...super.pageLocals(),
        authlib: view,
        account: view,
        base,
        navigation: [],
        head,
        ...menu,
        ...this.shell,
      };
    }
  }
  return Pages as never;
};

/** The controllers of an account type's routes: for anyone, and for the signed-in account. */
export function pageClasses(type: AccountType, Base: ControllerClass): Record<FeatureRoute["who"], ControllerClass> {
  const { host } = type.services;
  const views = `authlib/${type.name}`;
  class Anyone extends (concern(Base, AuthenticatedBy("public")) as unknown as ControllerClass<AuthlibController>) {
    static viewPath = views;
    static readonly accountType = type;
    override layout = host.hasView("layouts/authlib") ? "authlib" : "basic";
    override async findCurrentUser(): Promise<AccountRecord | undefined> {
      return this.authlib.load();
    }
  }
  class SignedIn extends (concern(
    Base,
    AuthenticatedBy("authlib", { account: type.name }),
  ) as unknown as ControllerClass<AuthlibController>) {
    static viewPath = views;
    static readonly accountType = type;
    override layout = host.hasView("layouts/authlib") ? "authlib" : "basic";
    override async findCurrentUser() {
      const account = await super.findCurrentUser();
      const more = account ? await this.authlib.requireFactors() : await this.authlib.requireAuthentication();
      if (more) this.answer(more);
      return account;
    }
  }
  return { anyone: Anyone, account: SignedIn };
}

/** The account type whose pages a controller serves. */
export const accountTypeOf = (controller: ControllerClass): AccountType | undefined =>
  (controller as Partial<{ accountType: AccountType }>).accountType;

/** The action of a route, named as the step, so that `fw routes` shows it. */
export function actionOf({ run, verified, who, path }: FeatureRoute): (controller: BaseController) => Promise<Reply> {
  const isOwn = who === "account" || alsoOwn.has(path);
  const name = typeof run === "string" ? run : path;
  const reply = (authlib: AuthlibBase) =>
    typeof run === "string" ? (authlib[run as keyof AuthlibBase] as () => Promise<Reply>).call(authlib) : run(authlib);
  const actions: Record<string, (controller: BaseController) => Promise<Reply>> = {
    async [name](controller) {
      const { authlib } = controller as AuthlibController;
      if (authlib.isActing) return run === "submitLogout" ? authlib.request.acting!.leave() : authlib.refuseActing();
      const refused = verified ? await authlib.requireVerified() : undefined;
      if (!refused && isOwn && controller.currentUser !== undefined) await enterShell(controller as AuthlibController);
      const answer = refused ?? (await reply(authlib));
      answer.headers["cache-control"] ??= "no-store"; // pages contain forms, keys and codes, also before the sign-in
      return answer;
    },
  };
  return actions[name]!;
}

/** Pages of a signed-in account that sign-ins which are not complete see as well, on their own. */
const alsoOwn: ReadonlySet<string> = new Set(["change-password", "otp-setup", "recovery-codes"]);

/** The layouts of account pages that are drawn alone; a controller that chooses another one keeps it. */
const alone: ReadonlySet<string | undefined> = new Set(["basic", "authlib"]);

/** Draws the page within the portal that the person came from. */
async function enterShell(controller: AuthlibController): Promise<void> {
  const { request, authlib } = controller;
  const layout = shellLayout(request);
  if (layout === undefined || !alone.has(controller.layout)) return;
  controller.shell = await accountShell(authlib.type, request);
  if (controller.shell) controller.layout = layout;
}
