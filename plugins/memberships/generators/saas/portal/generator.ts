import { defineGenerator, type GeneratorContext, type ModelFile } from "framewright/generators";
import { camelize, demodulize, underscore } from "framewright/host/inflection";
import {
  addPlugins,
  filesOf,
  importPath,
  readRecord,
  resourceOf,
  withoutComments,
} from "../../../../../generators/toolkit/index.ts";
import { listed } from "../../../../database/generators/toolkit/index.ts";
import { portalGenerator as portal } from "../../../../portals/generators/toolkit/index.ts";
import { connectByTemplates, namesIn } from "../../../../resources/generators/toolkit/index.ts";
import { oneOf, type Sides, sideOptions, sidesOf } from "../names.ts";
import { managerOf, managersOption, rolesIn } from "../roles.ts";

export default defineGenerator({
  name: "fw:saas:portal",
  summary: "Create the portal of a product: tenants entered by memberships, their settings and their members",
  example: "fw generate fw:saas:portal --user_model=Customer --entity_model=Organization --portal_name=Dashboard",
  options: {
    ...sideOptions,
    portal_name: { summary: "The portal; Dashboard by default", value: "NAME" },
    auth: { summary: "The account type; that of the accounts' model by default", value: "NAME" },
    ...managersOption,
  },
  directory: import.meta.dirname,
  async run(context) {
    const { options, app, compose, changes, note } = context;
    const sides = sidesOf(app, options);
    const short = underscore(options.portalName ?? "Dashboard").replace(/_portal$/, "");
    const name = `${short}_portal`;
    if (!app.portals().includes(name))
      await compose(portal, [short], { auth: sides.account, scope: sides.entity.constant });
    addPlugins(changes, ["memberships"]);
    enterByMembership(context, name, sides);
    const manager = managerOf(context, { portal: name, membership: sides.membership, asked: options.managers });
    connectEntity(context, { ...sides, portal: name, manager });
    connectMembers(context, { ...sides, portal: name, manager });
    const engine = `packages/${name}/lib/engine.ts`;
    if (!/\bscopeToEntity\(/.test(changes.read(engine) ?? "")) note(unscopedNote(name, engine, sides.entity));
  },
});

/** A portal of before is scoped by hand: its routes and pages may have been written without a tenant. */
const unscopedNote = (portal: string, engine: string, { constant }: ModelFile): string =>
  `\n${portal} is not scoped: it shows the records of every ${constant}. Add to the function in ${engine}:\n  engine.config.afterInitialize(() => engine.scopeToEntity(${demodulize(constant)}));`;

/** The concern and the base of the policies know the membership. */
function enterByMembership(context: GeneratorContext, portal: string, { account, membership }: Sides): void {
  const concern = `packages/${portal}/app/controllers/${portal}/concerns/controller.ts`;
  const locals = { account, membership: demodulize(membership.constant), membership_path: importPath(membership.path) };
  replacePlain(context, concern, "concern.ts", locals);
  replacePlain(context, `packages/${portal}/app/policies/${portal}/resource_policy.ts`, "resource_policy.ts", locals);
}

/** Replaces what fw:pkg:portal wrote, also before, and nobody edited. */
function replacePlain(
  { app, changes, render, template }: GeneratorContext,
  path: string,
  name: string,
  locals: object,
): void {
  const text = changes.read(path) ?? "";
  if (text.includes("Members(") || text.includes("MemberPolicy(")) return;
  if (readRecord(app.root, path)?.generated === text) changes.edit(path, () => render(name, locals));
  else template(path, name, locals);
}

interface Managed extends Sides {
  portal: string;
  /** The least role that manages members and settings. */
  manager: string;
}

/** The tenant's own page: its settings. */
function connectEntity(context: GeneratorContext, { entity, portal, manager }: Managed): void {
  const kept = ownAttributes(context, entity);
  connectByTemplates(context, {
    portal,
    model: entity,
    prefix: "entity_",
    locals: { manager, attributes: kept ? listed(kept) : "" },
    options: "{ singular: true }",
  });
}

/** The attributes of a tenant that belongs to other records, without these: its managers don't move it. Undefined where it belongs to none. */
function ownAttributes({ app }: GeneratorContext, entity: ModelFile): string[] | undefined {
  const parents = [...withoutComments(app.read(entity.path)).matchAll(/\b(\w+): belongsTo\(/g)].map(
    ([, name]) => name!,
  );
  const { policy } = filesOf(resourceOf(entity.constant), entity.package);
  if (parents.length === 0 || !app.has(policy)) return undefined;
  return namesIn(app.read(policy), "Create")?.filter((name) => !parents.includes(name));
}

function connectMembers(context: GeneratorContext, { membership, user, portal, manager }: Managed): void {
  const [owner = "owner"] = rolesIn(context.app.read(membership.path)) ?? [];
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
  const locals = { folder: `#${folder}`, manager, owner, user: oneOf(user.constant) };
  connectByTemplates(context, { portal, model: membership, prefix: "member_", locals, options: '{ label: "Member" }' });
}
