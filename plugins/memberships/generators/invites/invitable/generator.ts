import { defineGenerator, type GeneratorContext, type ModelFile, usage } from "framewright/generators";
import { demodulize, underscore } from "framewright/host/inflection";
import {
  addMembers,
  filesOf,
  importDefault,
  importOne,
  importPath,
  newMigration,
  portalOf,
  resourceOf,
} from "../../../../../generators/toolkit/index.ts";
import { membershipOf } from "../../saas/api_client/membership.ts";
import { membershipName, type Sides, sideOptions, sidesOf } from "../../saas/names.ts";
import { managerOf, managersOption, rolesIn } from "../../saas/roles.ts";

export default defineGenerator({
  name: "fw:invites:invitable",
  summary: "Invite people for a record: an action on it, and a method of its model that the acceptance calls",
  example: "fw generate fw:invites:invitable Desk --role=member --user_model=Customer --dest=dashboard_portal",
  args: "<model>",
  options: {
    ...sideOptions,
    role: { summary: "The role that the invited people get; the least privileged by default", value: "ROLE" },
    ...managersOption,
    invite_model: { summary: "The model of the invitations; <Entity><User>Invite by default", value: "CLASS" },
    dest: { summary: "The portal whose members invite; the model is connected to it", value: "PORTAL" },
    no_email_templates: { summary: "Without a mail of its own; the mail of all invitations is sent" },
  },
  directory: import.meta.dirname,
  async run(context) {
    const { args, options, app, note } = context;
    const model = app.model(args[0]!);
    const sides = sidesOf(app, options);
    const { user, entity, membership } = sides;
    const invited = options.inviteModel ?? `${membershipName(entity.constant, user.constant)}Invite`;
    const invitation = app.model(
      invited,
      "fw generate fw:invites:install creates one, and --invite_model names another.",
    );
    const portal = await portalOf(app, options.dest);
    check(context, model, invitation, sides, portal);
    const roles = rolesIn(app.read(membership.path)) ?? ["owner"];
    const role = options.role ?? roles.at(-1)!;
    if (!roles.includes(role)) throw usage.FW_FLAG_CHOICE("--role", role, roles);
    const isNew = addColumns(context, invitation);
    receive(context, model, user);
    const manager = managerOf(context, { portal, membership, asked: options.managers });
    connect(context, model, portal, { invitation, role, manager });
    if (!options.noEmailTemplates) writeMail(context, model);
    if (isNew) note("\nNext:\n  npx fw db:migrate");
  },
});

/** @throws FW_NAME_INVALID, FW_FLAG_VALUE */
function check(
  context: GeneratorContext,
  model: ModelFile,
  invitation: ModelFile,
  { user, entity, membership }: Sides,
  portal: string,
): void {
  const { app } = context;
  const others = [user, entity, membership, invitation].map(({ constant }) => constant);
  if (others.includes(model.constant))
    throw usage.FW_NAME_INVALID(
      "what people are invited for",
      model.constant,
      "use a model that belongs to the tenant",
    );
  if (!/\bInvitation(?:Base)?\(/.test(app.read(invitation.path)))
    throw usage.FW_FLAG_VALUE(
      "--invite_model",
      `a model of invitations (fw:invites:install); ${invitation.constant} is none`,
    );
  if (membershipOf(context, portal, entity).constant !== membership.constant)
    throw usage.FW_FLAG_VALUE("--dest", `a portal that is entered by ${membership.constant}; ${portal} is not`);
  const files = filesOf(resourceOf(model.constant), portal, `${portal}/`);
  if (!app.has(files.policy) || !app.has(files.definition))
    throw usage.FW_FLAG_VALUE(
      "--dest",
      `a portal that ${model.constant} is connected to: fw generate fw:res:conn ${model.constant} --dest=${portal}`,
    );
}

/** The columns by which an invitation remembers its record. Returns whether a migration is new. */
function addColumns({ app, changes, template }: GeneratorContext, invitation: ModelFile): boolean {
  const { table } = resourceOf(invitation.constant);
  const adds = (path: string) => {
    const text = app.read(path);
    return text.includes(`"${table}"`) && text.includes('"invitable_type"');
  };
  if (app.migrations().some(adds)) return false;
  const directory = invitation.package === undefined ? "db/migrate" : `packages/${invitation.package}/db/migrate`;
  template(newMigration(app, changes, `add_invitable_to_${table}`, directory), "migration.ts", { table });
  return true;
}

/** The method of the model that an accepted invitation calls. */
function receive({ changes, render }: GeneratorContext, model: ModelFile, user: ModelFile): void {
  const name = demodulize(user.constant);
  if (changes.read(model.path)?.includes("onInviteAccepted")) return;
  const transaction = importOne(changes, model.path, "framewright/plugins/database", "type Transaction");
  const type = { name, from: importPath(user.path), suffix: "Model", isType: true };
  const local = importDefault(changes, model.path, type);
  addMembers(changes, model.path, "onInviteAccepted", render("members.ts", { user: local, transaction }));
}

interface Wanted {
  invitation: ModelFile;
  role: string;
  manager: string;
}

/** The action on the model's records in the portal. */
function connect(
  { changes, template, render }: GeneratorContext,
  model: ModelFile,
  portal: string,
  { invitation, role, manager }: Wanted,
): void {
  const path = `app/interactions/${pathOf(model)}/invite.ts`;
  const locals = { invitation: demodulize(invitation.constant), path: importPath(invitation.path), role };
  template(path, "interaction.ts", locals);
  const files = filesOf(resourceOf(model.constant), portal, `${portal}/`);
  addMembers(changes, files.policy, "canInvite(", render("policy_members.ts", { manager }));
  if (changes.read(files.definition)!.includes('action("invite"')) return;
  const invite = { name: "Invite", from: importPath(path), suffix: "Action" };
  const interaction = importDefault(changes, files.definition, invite);
  const line = `this.action("invite", { interaction: ${interaction}, icon: "user-plus" });`;
  const configured = "super.configure();";
  if (changes.read(files.definition)!.includes(configured))
    changes.edit(files.definition, (text) => text.replace(configured, `${configured}\n    ${line}`));
  else
    addMembers(
      changes,
      files.definition,
      "configure()",
      `  override configure() {\n    ${configured}\n    ${line}\n  }`,
    );
}

/** The mail of the model's invitations, HTML and text. */
function writeMail({ template }: GeneratorContext, model: ModelFile): void {
  for (const kind of ["", "_text"]) template(`app/views/invitations/${pathOf(model)}${kind}.liquid`, `mail${kind}`, {});
}

const pathOf = ({ constant }: ModelFile): string => underscore(constant.replaceAll("::", "/"));
