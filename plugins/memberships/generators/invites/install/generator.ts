import { defineGenerator, type GeneratorContext, type ModelFile } from "framewright/generators";
import { camelize, demodulize, humanize, pluralize, underscore } from "framewright/host/inflection";
import {
  addMembers,
  addPlugins,
  addToConfigure,
  filesOf,
  importDefault,
  importOne,
  importPath,
  portalOf,
  resourceOf,
} from "../../../../../generators/toolkit/index.ts";
import { braced, MAX_LINE_CHARS } from "../../../../database/generators/toolkit/index.ts";
import { connectByTemplates, scaffoldGenerator as scaffold } from "../../../../resources/generators/toolkit/index.ts";
import { constantOf, membershipName, oneOf, type Sides, sideOptions, sidesOf } from "../../saas/names.ts";
import { managerOf, managersOption } from "../../saas/roles.ts";
import { mountOf } from "../../saas/welcome/generator.ts";
import { checkDomainColumn, checkFlow } from "./check_flow.ts";

export default defineGenerator({
  name: "fw:invites:install",
  summary: "Create invitations into tenants: by email with a role, sent again, revoked, accepted once",
  example: "fw generate fw:invites:install --user_model=Customer --entity_model=Organization --portal=dashboard_portal",
  options: {
    ...sideOptions,
    invite_model: { summary: "The model of the invitations; <Entity><User>Invite by default", value: "CLASS" },
    portal: { summary: "The portal whose members invite", value: "PORTAL" },
    ...managersOption,
    auth: {
      summary: "The account type that invited people sign up and accept with; that of the accounts' model by default",
      value: "NAME",
    },
    enforce_domain: { summary: "The tenant's column whose domain the invited addresses must have", value: "COLUMN" },
    dest: { summary: "main_app, or the feature package of the model", value: "PACKAGE" },
  },
  help: `Each run with other models, or another --invite_model, makes a flow of its own: its table, its actions in its portal, and its
link page with its URL helper. An example of a second one:
  fw generate fw:invites:install --user_model=Partner --entity_model=Organization --invite_model=PartnerInvite --auth=partner --portal=partner_portal`,
  directory: import.meta.dirname,
  async run(context) {
    const { options, app, changes, note } = context;
    const sides = sidesOf(app, options);
    const portal = await portalOf(app, options.portal);
    const usual = `${membershipName(sides.entity.constant, sides.user.constant)}Invite`;
    const constant = options.inviteModel === undefined ? usual : constantOf("an invitation", options.inviteModel);
    checkFlow(context, { sides, portal, constant });
    if (options.enforceDomain !== undefined) checkDomainColumn(app, sides.entity, options.enforceDomain);
    addPlugins(changes, ["memberships"]);
    if (!app.models().some((model) => model.constant === constant)) await writeModel(context, constant, sides);
    const model = app.model(constant);
    writePages(context, model, sides, mountOf(changes.read("config/routes.ts") ?? "", portal));
    const manager = managerOf(context, { portal, membership: sides.membership, asked: options.managers });
    connect(context, model, portal, manager);
    offerOnMembers(context, model, { membership: sides.membership, portal, manager });
    note("\nNext:\n  npx fw db:migrate");
  },
});

/** The name of a flow, of which there may be several: organization_customer_invite. */
const flowOf = ({ constant }: ModelFile): string => underscore(constant.replaceAll("::", "/")).replaceAll("/", "_");
/** The path of a flow's links: /organization-customer-invites. */
const pathOf = (model: ModelFile): string => `/${pluralize(flowOf(model)).replaceAll("_", "-")}`;

async function writeModel(
  { compose, app, changes, options, render, template }: GeneratorContext,
  constant: string,
  { user, entity, membership }: Sides,
) {
  const { dest, enforceDomain, auth } = options as { dest?: string; enforceDomain?: string; auth?: string };
  const tenant = oneOf(entity.constant);
  const fields = [
    `${tenant}:belongs_to{class:${entity.constant},on_delete:cascade}`,
    `email:string:uniq{scope:${tenant}}`,
    "role:string{50}",
    `inviter:belongs_to?{class:${user.constant},on_delete:cascade}`,
    "key_digest:string:index{64}",
    "sent_at:datetime",
    "expires_at:datetime",
    "accepted_at:datetime?",
    "revoked_at:datetime?",
    "administrator_type:string?{50}",
    "administrator_id:bigint?",
  ];
  await compose(scaffold, [constant, ...fields], { dest: dest ?? "main_app" });
  const model = app.model(constant);
  const base = importOne(changes, model.path, "framewright/plugins/memberships", "Invitation");
  changes.edit(model.path, (text) =>
    text.replace(/extends (Model\("\w+"\)) \{\n/, (_, plain: string) => `extends ${base}(${plain}) {\n`),
  );
  const from = { name: demodulize(membership.constant), from: importPath(membership.path), suffix: "Model" };
  const locals = {
    membership: importDefault(changes, model.path, from),
    path: pathOf(model),
    domain: enforceDomain ?? "",
    account: auth ?? "",
  };
  addMembers(changes, model.path, "enums =", render("members.ts", locals));
  const name = demodulize(constant);
  const classes = { name, policy: `${name}Policy`, model_path: importPath(model.path) };
  template(filesOf(resourceOf(constant), model.package).policy, "policy.ts", classes);
}

/** The pages of the mailed links, in the main application: a guest opens them. */
function writePages(
  { changes, template }: GeneratorContext,
  model: ModelFile,
  { membership }: Sides,
  mount: string,
): void {
  const name = `${flowOf(model)}_links`;
  template(`app/controllers/${name}_controller.ts`, "links_controller.ts", {
    controller: `${camelize(name)}Controller`,
    invitation: demodulize(model.constant),
    invitation_path: importPath(model.path),
    membership: demodulize(membership.constant),
    membership_path: importPath(membership.path),
    mount,
  });
  const at = pathOf(model).slice(1);
  const lines = [
    `routes.get("${at}", ${braced([`to: "${name}#show"`, `as: "${name}"`], "", MAX_LINE_CHARS - at.length - 20)});`,
    `routes.post("${at}", { to: "${name}#accept" });`,
  ];
  changes.insertAbove("config/routes.ts", "fw:mounts", lines.join("\n"));
}

/** The folder of the interactions of a flow. */
const interactionsOf = (model: ModelFile): string =>
  `app/interactions/${underscore(model.constant.replaceAll("::", "/"))}`;

function connect(context: GeneratorContext, model: ModelFile, portal: string, manager: string): void {
  const { template } = context;
  const folder = interactionsOf(model);
  const bases = { invite: "InviteMember", resend: "ResendInvitation", revoke: "RevokeInvitation" };
  for (const [action, base] of Object.entries(bases)) {
    const own =
      action === "invite"
        ? { invitation: demodulize(model.constant), path: importPath(model.path) }
        : { invitation: "", path: "" };
    template(`${folder}/${action}.ts`, "interaction.ts", { name: camelize(action), base, ...own });
  }
  const locals = { folder: `#${folder}`, manager };
  const isSecond = /label: "Invitation"/.test(context.changes.read(`packages/${portal}/config/routes.ts`) ?? "");
  const label = isSecond ? humanize(demodulize(model.constant)) : "Invitation";
  connectByTemplates(context, { portal, model, prefix: "portal_", locals, options: `{ label: "${label}" }` });
}

/** Invite is also above the list of the members, where people look for it. */
function offerOnMembers(
  { changes }: GeneratorContext,
  model: ModelFile,
  { membership, portal, manager }: { membership: ModelFile; portal: string; manager: string },
): void {
  const { definition, policy } = filesOf(resourceOf(membership.constant), portal, `${portal}/`);
  if (!changes.exists(policy) || changes.read(definition)?.includes('action("invite"')) return;
  const action = `this.action("invite", { interaction: Invite, icon: "user-plus", category: "primary", resourceAction: true });`;
  if (!addToConfigure(changes, definition, action)) return;
  changes.addImport(definition, `import Invite from "#${interactionsOf(model)}/invite.ts";`);
  const allowed = `  canInvite() {\n    return this.atLeast("${manager}");\n  }`;
  addMembers(changes, policy, "canInvite(", allowed);
}
