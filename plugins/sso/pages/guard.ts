import type { BaseController } from "framewright/host";
import { type AccountType, authlibOf } from "framewright/plugins/authlib";
import type { TenantSsoSteps } from "../features/tenant_sso/index.ts";

interface Types {
  find(name: string): AccountType | undefined;
}
/** What is known of the person who entered a tenant. */
type InTenant = BaseController & { readonly currentMembership?: { readonly role?: string } };

/** The account type of a controller's people, where it has the feature. */
export function ssoTypeOf(types: Types, controller: BaseController): AccountType | undefined {
  const { authentication } = controller.constructor as typeof BaseController;
  const type = authentication?.mode === "authlib" ? types.find(authentication.account ?? "") : undefined;
  return type?.has("tenant_sso") ? type : undefined;
}

/** The id of a request's tenant, as memberships refer to it. */
export function tenantIdOf({ currentScopedEntity }: BaseController): number | undefined {
  const id = Number((currentScopedEntity as { $id?(): unknown } | undefined)?.$id?.());
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
export const roleIn = (controller: BaseController): string | undefined =>
  (controller as InTenant).currentMembership?.role;

/**
 * For each request in a tenant, once its sender is known: those who signed in past the provider that the tenant requires do so now.
 * Work in the background and keys of programs have no sign-in; they end with the membership.
 */
export async function requireCompany(types: Types, controller: BaseController): Promise<void> {
  const { request } = controller;
  const type = ssoTypeOf(types, controller);
  const tenantId = tenantIdOf(controller);
  if (!type || tenantId === undefined || request.isBackground || controller.reply) return;
  if (request.kernel.has("api_keys") && request.kernel.service("api_keys").grantOf(request)) return;
  const authlib = authlibOf(request, type) as unknown as TenantSsoSteps;
  const reply = await authlib.requireCompanySignIn(tenantId, roleIn(controller));
  if (reply) controller.reply = reply;
}
