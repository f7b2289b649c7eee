import type { Constraint } from "framewright/host";
import { portalLabel } from "framewright/plugins/portals";
import type { AuthlibBase } from "./base.ts";
import { hasPendingForm } from "./pending_forms.ts";

export interface PageLink {
  /** Below `/<account_plural>/`. */
  page: string;
  label: string;
  hint: string;
  icon: string;
  url: string;
}

/** The pages that the overview lists, in this order, where the account type has the feature. */
const pages = [
  ["change_login", "change-login", "mail"],
  ["change_password", "change-password", "key"],
  ["otp", "otp-setup", "device-mobile"],
  ["recovery_codes", "recovery-codes", "list-numbers"],
  ["webauthn", "webauthn-setup", "fingerprint"],
  ["factors", "factors", "shield"],
  ["active_sessions", "sessions", "devices"],
  ["invitation", "invite", "user-plus"],
  ["close_account", "close-account", "user-x"],
] as const;

export function accountLinks(authlib: AuthlibBase): PageLink[] {
  const { type } = authlib;
  const listed = hasPendingForm(authlib) ? ([["held_form", "held-form", "forms"], ...pages] as const) : pages;
  return listed
    .filter(([feature]) => feature === "held_form" || type.has(feature))
    .map(([feature, page, icon]) => ({
      page,
      icon,
      label: authlib.t(`links.${feature}`),
      hint: authlib.t(`links.${feature}_hint`),
      url: type.path(page),
    }));
}

/** Module-level: found by a constraint that this file creates. */
const guards = new WeakMap<Constraint, string>();
/** Marks a mount's constraint with the account type that it admits. */
export function markGuarded(constraint: Constraint, account: string): Constraint {
  guards.set(constraint, account);
  return constraint;
}

/** The portal that the page is drawn in, else the first mount that requires the account type, else the account's overview. */
export function homeOf({ type, application, controller }: AuthlibBase): string {
  const shell = controller?.shell;
  if (shell) return shell.portal.root_url;
  const mount = application.mounts.find(({ constraint }) => constraint && guards.get(constraint) === type.name);
  return mount ? mount.at || "/" : type.path("account");
}

/** The portal that the account type enters, as people call it; undefined where there are several, or none. */
export function placeOf({ type, application, request }: AuthlibBase): string | undefined {
  const engines = application.mounts
    .filter(({ constraint }) => constraint && guards.get(constraint) === type.name)
    .map(({ engine }) => engine);
  const [only, second] = new Set(engines);
  return only && second === undefined ? portalLabel(only, request) : undefined;
}

export const guardedAccountType = (constraint: Constraint): string | undefined => guards.get(constraint);
