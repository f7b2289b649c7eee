import { type ControllerClass, csrfInput, forbidden, HttpError, type Mixin, type Reply } from "framewright/host";
import { type AuthlibBase, authlibOf } from "framewright/plugins/authlib";
import type { BaseModel } from "framewright/plugins/database";
import { roleName } from "../role_name.ts";
import { locationHere, shapeOf, tenantUrl } from "../shape.ts";
import { acceptInvitation, findInvitation, type InvitationModels, inviteesOf, isValid, tenantKey } from "./accept.ts";
import type { InvitationRecord } from "./invitation.ts";

/** Options of `InvitationPages()`. */
export interface InvitationPagesOptions extends InvitationModels {
  /** Where the portal is mounted: an accepted invitation leads to the tenant there. */
  portal: string;
}
/** What `InvitationPages` adds to a controller. */
export interface InvitationPagesConcern {
  /** The page of a mailed link: `GET ?key=…`. */
  show(): Promise<Reply>;
  /** `POST ?key=…` */
  accept(): Promise<Reply>;
}

interface About extends Record<string, unknown> {
  /** "Ann invites you to Alder as admin." */
  invites: string;
}

/** The pages of invitations' links: `concern(BaseController, InvitationPages({ invitation, membership, portal: "/dashboard" }))`. */
export function InvitationPages(options: InvitationPagesOptions): Mixin<InvitationPagesConcern> {
  return (Base) => {
    class WithInvitations extends (Base as unknown as ControllerClass) {
      /** A guest may post: whoever accepts is asked to sign in. */
      static guests = "admit" as const;
      async show(): Promise<Reply> {
        const { request } = this;
        const found = await this.#find();
        if (!found) return this.#dead(404);
        const authlib = this.#authlib;
        const account = await authlib.load();
        if (account && !authlib.isLoginOf(account, found.email)) return this.#foreign(found, authlib);
        if (account && found.state === "accepted") return this.#join(found.$id() as number, authlib);
        if (!(await this.#isValid(found))) return this.#dead(410);
        const about = await this.#about(found, authlib);
        if (account) return this.#page("accept", { ...about, csrf: csrfInput(request, request.path) });
        const hasAccount = await this.#rememberGuest(found, authlib, about.invites);
        const url = authlib.type.path(hasAccount ? "login" : "create-account");
        return this.#page("guest", { ...about, url, has_account: hasAccount });
      }
      async accept(): Promise<Reply> {
        const found = await this.#find();
        if (!found) return this.#dead(404);
        const authlib = this.#authlib;
        const account = await authlib.load();
        if (!account) return authlib.requireAuthentication();
        if (!authlib.isLoginOf(account, found.email)) return this.#foreign(found, authlib);
        const unverified = await authlib.requireVerified();
        return unverified ?? this.#join(found.$id() as number, authlib);
      }

      get #authlib(): AuthlibBase {
        const { kernel } = this.request;
        return authlibOf(this.request, inviteesOf(kernel, options.invitation, shapeOf(kernel, options.membership)));
      }
      get #key(): string {
        const key = this.request.query.get("key") ?? this.params.get("key");
        return typeof key === "string" ? key.slice(0, 200) : "";
      }
      async #find(): Promise<InvitationRecord | undefined> {
        return findInvitation(this.request, options, this.#key);
      }
      #tenantId(found: InvitationRecord): number {
        const { kernel } = this.request;
        const model = kernel.service("database").model(options.invitation as never);
        return Number(
          (found as unknown as Record<string, unknown>)[tenantKey(model, shapeOf(kernel, options.membership))],
        );
      }
      async #isValid(found: InvitationRecord): Promise<boolean> {
        return isValid(this.request, found, shapeOf(this.request.kernel, options.membership), this.#tenantId(found));
      }
      async #join(id: number, authlib: AuthlibBase): Promise<Reply> {
        if (this.request.actorFor(authlib.account)) throw forbidden(); // they join by themselves
        const accepted = await acceptInvitation(this.request, options, id, authlib.account!);
        if (accepted.outcome !== "joined") return this.#dead(410);
        const { kernel } = this.request;
        const shape = shapeOf(kernel, options.membership);
        const location = await tenantUrl(this.request, shape, options.portal, accepted.tenantId);
        if (this.request.format === "json") return this.json({ data: { url: location } });
        return this.redirectTo(locationHere(location, options.portal));
      }
      /** Lets the guest come back after the sign-in, or sign up with the address that the link has proven. */
      async #rememberGuest(found: InvitationRecord, authlib: AuthlibBase, reason: string): Promise<boolean> {
        const account = await authlib.findAccountByLogin(found.email);
        const hasAccount = account !== undefined && authlib.isOpen(account);
        if (this.request.isSpeculative) return hasAccount;
        authlib.keepReturn(`${this.request.path}?key=${encodeURIComponent(this.#key)}`);
        if (!hasAccount) authlib.proveLogin(found.email, { reason });
        return hasAccount;
      }
      /** What the holder of the link may know: who invites whom, where to and as what. */
      async #about(found: InvitationRecord, authlib: AuthlibBase): Promise<About> {
        const database = this.request.kernel.service("database");
        const { entity, model } = shapeOf(this.request.kernel, options.membership);
        const tenants = database.query(entity.target.class as { new (): BaseModel });
        const tenant = ((await tenants.findById(this.#tenantId(found))) as BaseModel | undefined)?.toLabel() ?? "";
        const inviter = found.inviter_id ? await authlib.findAccountById(Number(found.inviter_id)) : undefined;
        const by = inviter?.toLabel() ?? this.t("application.name");
        const models = [database.model(options.invitation as never), model];
        const role = roleName(this.request, this.request.locale, found.role, models);
        const invites = this.t("memberships.invitation.invites", { by, tenant, role });
        return { tenant, by, role, invites, email: found.email, key: this.#key };
      }
      #foreign(found: InvitationRecord, authlib: AuthlibBase): Reply {
        const signed_in = authlib.loginOf(authlib.account!);
        const message = this.t("memberships.invitation.foreign_text", { email: found.email, signed_in });
        if (this.request.format === "json") throw new HttpError(403, "FW_INVITATION_ADDRESS", message);
        const logout = authlib.type.path("logout");
        return this.#page("foreign", { message, logout, csrf: csrfInput(this.request, logout) }, 403);
      }
      /** The same for a link that never existed, is spent, expired or revoked. */
      #dead(status: 404 | 410): Reply {
        const message = this.t("memberships.invitation.dead_text");
        if (this.request.format === "json") throw new HttpError(status, "FW_INVITATION", message);
        return this.#page("dead", { message }, status);
      }
      #page(state: string, locals: Record<string, unknown>, status = 200): Reply {
        const title = this.t(`memberships.invitation.${state}_title`, locals);
        return this.render("memberships/invitation", { status, layout: "basic", locals: { state, title, ...locals } });
      }
    }
    return WithInvitations as never;
  };
}
