import { defineGenerator, type GeneratorContext } from "../../generator.ts";
import portal from "../../pkg/portal/generator.ts";
import { connectByTemplates } from "../../res/conn/connect_by_templates.ts";
import { importPath } from "../../support/application.ts";
import { camelize, demodulize, underscore } from "../../support/names.ts";
import { addPlugins } from "../../support/plugins_config.ts";
import { oneOf, type Sides, sideOptions, sidesOf } from "../names.ts";
import { managerOf, rolesIn } from "../roles.ts";

export default defineGenerator({
  name: "fw:saas:portal",
  summary: "Create the portal of a product: tenants entered by memberships, their settings and their members",
  example: "fw generate fw:saas:portal --user_model=Customer --entity_model=Organization --portal_name=Dashboard",
  options: {
    ...sideOptions,
    portal_name: { summary: "The portal; Dashboard by default", value: "NAME" },
    auth: { summary: "The account type; that of the accounts' model by default", value: "NAME" },
  },
  directory: import.meta.dirname,
  async run(context) {
    const { options, app, compose, changes } = context;
    const sides = sidesOf(app, options);
    const short = underscore(options.portalName ?? "Dashboard").replace(/_portal$/, "");
    const name = `${short}_portal`;
    if (!app.portals().includes(name))
      await compose(portal, [short], { auth: sides.account, scope: sides.entity.constant });
    addPlugins(changes, ["memberships"]);
    enterByMembership(context, name, sides);
    connectEntity(context, name, sides);
    connectMembers(context, name, sides);
  },
});

/** The concern and the base of the policies know the membership. */
function enterByMembership(
  { changes, template }: GeneratorContext,
  portal: string,
  { account, membership }: Sides,
): void {
  const concern = `packages/${portal}/app/controllers/${portal}/concerns/controller.ts`;
  const locals = { account, membership: demodulize(membership.constant), membership_path: importPath(membership.path) };
  const isPlain = (text: string) => !text.includes("Members(") && !text.includes("MemberPolicy(");
  if (isPlain(changes.read(concern) ?? "")) template(concern, "concern.ts", locals);
  const policy = `packages/${portal}/app/policies/${portal}/resource_policy.ts`;
  if (isPlain(changes.read(policy) ?? "")) template(policy, "resource_policy.ts", locals);
}

/** The tenant's own page: its settings. */
function connectEntity(context: GeneratorContext, portal: string, { entity, membership }: Sides): void {
  const manager = managerOf(rolesIn(context.app.read(membership.path)) ?? ["owner"]);
  connectByTemplates(context, {
    portal,
    model: entity,
    prefix: "entity_",
    locals: { manager },
    options: "{ singular: true }",
  });
}

function connectMembers(context: GeneratorContext, portal: string, { membership, user }: Sides): void {
  const [owner = "owner", ...others] = rolesIn(context.app.read(membership.path)) ?? [];
  const folder = `app/interactions/${underscore(membership.constant.replaceAll("::", "/"))}`;
  const actions = ["change_role", "remove", "leave", "transfer_ownership"];
  const bases = {
    change_role: "ChangeMemberRole",
    remove: "RemoveMember",
    leave: "LeaveTenant",
    transfer_ownership: "TransferOwnership",
  };
  for (const action of actions) {
    const locals = { name: camelize(action), base: bases[action as keyof typeof bases] };
    context.template(`${folder}/${action}.ts`, "interaction.ts", locals);
  }
  const manager = managerOf([owner, ...others]);
  const locals = { folder: `#${folder}`, manager, owner, user: oneOf(user.constant) };
  connectByTemplates(context, { portal, model: membership, prefix: "member_", locals, options: '{ label: "Member" }' });
}
