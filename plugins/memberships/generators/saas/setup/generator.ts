import { ask, defineGenerator, usage } from "framewright/generators";
import { demodulize, underscore } from "framewright/host/inflection";
import { profileGenerator as profile } from "../../../../authlib/generators/toolkit/index.ts";
import invites from "../../invites/install/generator.ts";
import apiClient from "../api_client/generator.ts";
import entity from "../entity/generator.ts";
import membership from "../membership/generator.ts";
import { constantOf, fieldList, membershipName } from "../names.ts";
import portal from "../portal/generator.ts";
import { managersOption, membershipRoles, rolesOption } from "../roles.ts";
import user from "../user/generator.ts";
import welcome from "../welcome/generator.ts";

export default defineGenerator({
  name: "fw:saas:setup",
  summary:
    "Create a product: accounts, tenants, memberships with roles, a portal, profiles, a welcome page and invitations",
  example: "fw generate fw:saas:setup --user=Customer --entity=Organization --roles=admin,member",
  options: {
    user: { summary: "The model of the accounts", value: "CLASS" },
    entity: { summary: "The model of the tenants", value: "CLASS" },
    dest: { summary: "main_app, or the feature package of the tenants", value: "PACKAGE" },
    ...rolesOption,
    ...managersOption,
    allow_signup: { summary: "Anybody may sign up; false: only who is invited. true by default", value: "BOOLEAN" },
    user_attributes: { summary: "Further columns of accounts, which the sign-up asks for", value: "FIELDS" },
    entity_attributes: { summary: "Further columns of tenants, besides name", value: "FIELDS" },
    membership_attributes: { summary: "Further columns of memberships", value: "FIELDS" },
    profile_attributes: { summary: "The columns of profiles; name:string by default", value: "FIELDS" },
    portal_name: { summary: "The portal; Dashboard by default", value: "NAME" },
    api_client: { summary: "Also programs of a tenant, with keys: the model's name, as in ApiClient", value: "NAME" },
    api_client_roles: { summary: "Their roles, the least privileged first", value: "LIST" },
    skip_entity: { summary: "Without the tenants' model, which exists" },
    skip_membership: { summary: "Without memberships, and what needs them" },
    no_portal: { summary: "Without the portal, and what needs it" },
    no_profile: { summary: "Without profiles" },
    no_welcome: { summary: "Without the welcome page" },
    no_invites: { summary: "Without invitations" },
  },
  help: `What exists is kept as it is: accounts, tenants and memberships of before keep their rows.
The welcome page asks for the organization alone. To ask for the person's profile first, as for a name:
  fw generate fw:saas:welcome --user_model=Customer --entity_model=Organization --portal=dashboard_portal --profile`,
  directory: import.meta.dirname,
  async run({ options, compose, note }) {
    membershipRoles(options.roles); // before anything is asked or written
    const customer = constantOf(
      "an account",
      options.user ?? (await ask("Which accounts?", ["--user=NAME"], "Customer")),
    );
    const tenant = constantOf(
      "a tenant",
      options.entity ?? (await ask("Which tenants?", ["--entity=NAME"], "Organization")),
    );
    if (demodulize(customer) === demodulize(tenant))
      throw usage.FW_FLAG_VALUE("--entity", `another model than the accounts' (${customer})`);
    const { dest } = options;
    const notes = await compose(user, [customer], {
      allow_signup: options.allowSignup,
      extra_attributes: options.userAttributes,
    });
    if (!options.skipEntity)
      await compose(entity, [tenant], {
        allow_signup: options.allowSignup,
        extra_attributes: options.entityAttributes,
        dest,
      });
    if (!options.skipMembership) {
      const extra_attributes = options.membershipAttributes;
      notes.push(
        ...(await compose(membership, [], {
          user: customer,
          entity: tenant,
          roles: options.roles,
          extra_attributes,
          dest,
        })),
      );
    }
    const short = underscore(options.portalName ?? "Dashboard").replace(/_portal$/, "");
    const name = `${short}_portal`;
    const sides = { user_model: customer, entity_model: tenant, membership_model: membershipName(tenant, customer) };
    const hasPortal = !options.noPortal && !options.skipMembership;
    if (hasPortal)
      notes.push(...(await compose(portal, [], { ...sides, portal_name: short, managers: options.managers })));
    if (hasPortal && !options.noInvites) await compose(invites, [], { ...sides, portal: name });
    if (hasPortal && !options.noWelcome) await compose(welcome, [], { ...sides, portal: name });
    if (hasPortal && options.apiClient !== undefined)
      await compose(apiClient, [options.apiClient], { entity: tenant, roles: options.apiClientRoles, portal: name });
    if (hasPortal && !options.noProfile) {
      const fields = fieldList(options.profileAttributes);
      await compose(profile, fields.length > 0 ? fields : ["name:string"], { user_model: customer, portal: name });
    }
    for (const line of notes.filter(
      (text) => text.includes(" kept as it is") || text.includes(" gets roles") || text.includes("--managers="),
    ))
      note(line);
    note("\nNext:\n  npx fw db:migrate\n  npx fw dev");
  },
});
