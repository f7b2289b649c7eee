import { defineGenerator, type GeneratorContext, type ModelFile, usage } from "framewright/generators";
import { demodulize, underscore } from "framewright/host/inflection";
import {
  addMembers,
  addToConfigure,
  filesOf,
  importDefault,
  importPath,
  newMigration,
  portalOf,
  resourceOf,
} from "../../../../../generators/toolkit/index.ts";
import { membershipName, type Sides, sideOptions, sidesOf } from "../../saas/names.ts";
import { invites } from "../install/check_flow.ts";

export default defineGenerator({
  name: "fw:invites:owner",
  summary: "Invite the first owner of a tenant from a portal of administrators: an action on the tenant's record",
  example: "fw generate fw:invites:owner --user_model=Customer --entity_model=Organization --dest=admin_portal",
  options: {
    ...sideOptions,
    invite_model: { summary: "The model of the invitations; <Entity><User>Invite by default", value: "CLASS" },
    dest: { summary: "The portal of the administrators; the tenants' model is connected to it", value: "PORTAL" },
  },
  help: `The table of invitations gets what it lacks of an earlier release: a column for the administrator who invites, and an inviter
that may be missing. The policy's canInviteOwner() says who may, by default those who may change the tenant.`,
  directory: import.meta.dirname,
  async run(context) {
    const { options, app, note } = context;
    const sides = sidesOf(app, options);
    const usual = `${membershipName(sides.entity.constant, sides.user.constant)}Invite`;
    const invitation = app.model(
      options.inviteModel ?? usual,
      "fw generate fw:invites:install creates one, and --invite_model names another.",
    );
    const portal = await portalOf(app, options.dest);
    check(context, sides, invitation, portal);
    const isNew = addColumns(context, invitation, sides.user);
    connect(context, sides, invitation, portal);
    if (isNew) note("\nNext:\n  npx fw db:migrate");
  },
});

/** @throws FW_FLAG_VALUE */
function check({ app, changes }: GeneratorContext, sides: Sides, invitation: ModelFile, portal: string): void {
  const { entity } = sides;
  if (!invites(app, invitation, sides))
    throw usage.FW_FLAG_VALUE(
      "--invite_model",
      `that of invitations of ${sides.user.constant} into ${entity.constant} (fw:invites:install); ${invitation.constant} is another`,
    );
  const concern = changes.read(`packages/${portal}/app/controllers/${portal}/concerns/controller.ts`) ?? "";
  if (/\bMembers\(/.test(concern))
    throw usage.FW_FLAG_VALUE("--dest", `a portal of administrators; ${portal} is entered by memberships`);
  const files = filesOf(resourceOf(entity.constant), portal, `${portal}/`);
  if (!app.has(files.policy) || !app.has(files.definition))
    throw usage.FW_FLAG_VALUE(
      "--dest",
      `a portal that ${entity.constant} is connected to: fw generate fw:res:conn ${entity.constant} --dest=${portal}`,
    );
}

/** What the invitations of an earlier release lack. Returns whether a migration is new. */
function addColumns({ app, changes, template }: GeneratorContext, invitation: ModelFile, user: ModelFile): boolean {
  changes.edit(invitation.path, (text) =>
    text.replace(
      /(\binviter\s*:\s*belongsTo\(\{)([^}]*?),?(\s*\}\))/,
      (all, start: string, inside: string, end: string) =>
        /\boptional\b/.test(inside) ? all : `${start}${inside}, optional: true${end}`,
    ),
  );
  const { table } = resourceOf(invitation.constant);
  const adds = (path: string) => {
    const text = app.read(path);
    return text.includes(`"${table}"`) && text.includes('"administrator_type"');
  };
  if (app.migrations().some(adds)) return false;
  const directory = invitation.package === undefined ? "db/migrate" : `packages/${invitation.package}/db/migrate`;
  const path = newMigration(app, changes, `let_administrators_invite_${table}`, directory);
  template(path, "migration.ts", { table, users: resourceOf(user.constant).table });
  return true;
}

/** The action on the tenants' records in the portal. */
function connect(
  { changes, template, render, note }: GeneratorContext,
  { entity, membership }: Sides,
  invitation: ModelFile,
  portal: string,
): void {
  const path = `app/interactions/${underscore(entity.constant.replaceAll("::", "/"))}/invite_owner.ts`;
  template(path, "interaction.ts", {
    invitation: demodulize(invitation.constant),
    invitation_path: importPath(invitation.path),
    membership: demodulize(membership.constant),
    membership_path: importPath(membership.path),
  });
  const { policy, definition } = filesOf(resourceOf(entity.constant), portal, `${portal}/`);
  addMembers(changes, policy, "canInviteOwner(", render("policy_members.ts", {}));
  if (changes.read(definition)!.includes('action("invite_owner"')) return;
  const interaction = importDefault(changes, definition, {
    name: "InviteOwner",
    from: importPath(path),
    suffix: "Action",
  });
  const line = `this.action("invite_owner", { interaction: ${interaction}, icon: "crown", collectionRecordAction: false });`;
  if (!addToConfigure(changes, definition, line)) note(`Add to configure() of ${definition}:\n  ${line}`);
}
