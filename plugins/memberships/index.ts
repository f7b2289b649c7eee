import type { RequestContext } from "framewright/host";
import { definePlugin, type Plugin, stage } from "framewright/kernel";
import type {} from "framewright/plugins/api_keys";
import type {} from "framewright/plugins/mcp";
import { mayOnlyRead } from "./api_clients/authentication.ts";
import { examineApiClients } from "./api_clients/examine.ts";
import { checkDomain } from "./invitations/check_domain.ts";
import { isInvitation } from "./invitations/invitation.ts";
import { checkOwnerActions, examineInvitations, hideWithOwner } from "./invitations/owner_actions.ts";
import { isMembership } from "./membership.ts";
import { membershipSource } from "./personal_data.ts";
import { drawRoles, rolesLink } from "./roles_page.ts";
import { checkKeys, isAtLeast, managersOf, roleOf } from "./shape.ts";

export {
  type ApiClientMethods,
  ApiClientModel,
} from "./api_clients/api_client.ts";
export {
  type ApiClientOptions,
  ApiClientPolicy,
  type ApiClientPolicyMethods,
  apiClientByKey,
  tenantOfApiClient,
} from "./api_clients/authentication.ts";
export {
  type ApiClientInputsOptions,
  apiClientInputs,
  CreateApiClient,
  DisableApiClient,
  EnableApiClient,
  RotateApiKey,
} from "./api_clients/interactions.ts";
export {
  enterAs,
  MemberPolicy,
  type MemberPolicyMethods,
  Members,
  type MembersConcern,
  type MembersOptions,
  membershipOf,
  membersOf,
  rolesOfMembers,
} from "./concern.ts";
export { ChangeMemberRole, LeaveTenant, RemoveMember, TransferOwnership } from "./interactions/index.ts";
export { type Member, MemberInteraction } from "./interactions/member.ts";
export type { InvitationModels } from "./invitations/accept.ts";
export { InviteMember, InviteToRecord, ResendInvitation, RevokeInvitation } from "./invitations/interactions.ts";
export type { Invitable } from "./invitations/invitable.ts";
export {
  Invitation,
  type InvitationMethods,
  type InvitationSettings,
  type InvitationState,
} from "./invitations/invitation.ts";
export { InviteOwner } from "./invitations/invite_owner.ts";
export { InvitationPages, type InvitationPagesConcern, type InvitationPagesOptions } from "./invitations/pages.ts";
export { LastOwnerError, Membership, type MembershipMethods } from "./membership.ts";
export {
  columnOf,
  grantableRoles,
  isAtLeast,
  isManager,
  type MembershipShape,
  managerRole,
  membershipShapes,
} from "./shape.ts";
export { WelcomePages, type WelcomePagesConcern, type WelcomePagesOptions } from "./welcome.ts";

/** Whether a request came with an API key: members and invitations are a person's own. */
const hasKey = (request: RequestContext): boolean =>
  request.kernel.has("api_keys") && request.kernel.service("api_keys").grantOf(request) !== undefined;

/** Members of tenants: roles in their order, invitations, and the page of a person without a tenant. */
export function memberships(): Plugin {
  return definePlugin({
    name: "memberships",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "auth", "scoping", "resources", "mailer"],
    apply({ services: { views, database, resources }, hooks, tap }) {
      tap(hooks.resources.actions, hideWithOwner);
      hooks.resources.place.tap("memberships", drawRoles);
      hooks.resources.listHead.tap("memberships", rolesLink);
      hooks.kernel.ready.tap("memberships", () => checkOwnerActions(resources));
      hooks.host.examine.tapPromise("memberships", async (findings) => {
        findings.push(...examineInvitations(database, resources), ...examineApiClients(database));
      });
      hooks.kernel.drawRoutes.tap({ name: "memberships", stage: stage.late }, () => {
        for (const model of database.models()) {
          if (isMembership(model.class)) {
            checkKeys(model);
            managersOf(model);
          }
          checkDomain(model);
        }
      });
      hooks.mcp?.offered.tap("memberships", ({ controller: { request }, verb, route }) => {
        const model = resources.registry.routes.get(route)?.registration.model.class;
        const isOfMembers = model !== undefined && (isMembership(model) || isInvitation(model));
        const isClosed = isOfMembers && hasKey(request);
        return verb !== "get" && (isClosed || mayOnlyRead(request)) ? false : undefined;
      });
      hooks.personal_data?.sources.tap("memberships", (sources) => sources.add(membershipSource(database)));
      views.addFilter("at_least", (membership, role) => {
        const cls = (membership as object | undefined)?.constructor as { enums?: Record<string, readonly string[]> };
        return isAtLeast(cls?.enums?.role ?? [], roleOf(membership as object | undefined), String(role));
      });
    },
  });
}
