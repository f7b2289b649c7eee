import { defineGenerator, type GeneratorContext, type ModelFile, usage } from "framewright/generators";
import { camelize, demodulize, humanize } from "framewright/host/inflection";
import {
  accountModelOf,
  addAssociations,
  addGroup,
  addMembers,
  addPlugins,
  addScope,
  filesOf,
  importFrom,
  importOne,
  importPath,
  newMigration,
  resourceOf,
} from "../../../../../generators/toolkit/index.ts";
import { MAX_LINE_CHARS } from "../../../../database/generators/toolkit/index.ts";
import { scaffoldGenerator as scaffold } from "../../../../resources/generators/toolkit/index.ts";
import { fieldList, manyOf, membershipName, oneOf } from "../names.ts";
import { membershipRoles, rolesIn, rolesOption } from "../roles.ts";

export default defineGenerator({
  name: "fw:saas:membership",
  summary: "Create the memberships of accounts in tenants, each with a role; existing ones are kept",
  example: "fw generate fw:saas:membership --user=Customer --entity=Organization --roles=admin,member",
  options: {
    user: { summary: "The model of the accounts; User by default", value: "CLASS" },
    entity: { summary: "The model of the tenants; Organization by default", value: "CLASS" },
    ...rolesOption,
    extra_attributes: { summary: "Further columns, as in title:string?", value: "FIELDS" },
    dest: { summary: "main_app, or the feature package of the model", value: "PACKAGE" },
  },
  directory: import.meta.dirname,
  async run(context) {
    const { options, app, note } = context;
    const roles = membershipRoles(options.roles);
    const user = accountModelOf(app, options.user ?? "User", "--user");
    const entity = app.model(options.entity ?? "Organization");
    const name = membershipName(entity.constant, user.constant);
    const found = app.models().find((model) => model.constant === name);
    if (found) adopt(context, found, entity, roles);
    else await write(context, { name, user, entity, roles });
    addPlugins(context.changes, ["memberships"]);
    const model = app.model(name);
    link(context, entity, model, user);
    link(context, user, model, entity);
    if (!found) note("\nNext:\n  npx fw db:migrate");
  },
});

interface Wanted {
  name: string;
  user: ModelFile;
  entity: ModelFile;
  roles: readonly string[];
}

/**
 * Memberships from before are taken over with their rows: they get roles where they have none. The roles that they have
 * are kept, and have to be those that are requested. @throws FW_FLAG_VALUE
 */
function adopt(context: GeneratorContext, found: ModelFile, entity: ModelFile, roles: readonly string[]): void {
  const { app, note, options, changes } = context;
  const known = rolesIn(app.read(found.path));
  const isAsked = (options as { roles?: string }).roles !== undefined;
  if (isAsked && known && known.join() !== roles.join())
    throw usage.FW_FLAG_VALUE(
      "--roles",
      `those that ${found.constant} has (${known.slice(1).join()}); change them in ${found.path}`,
    );
  becomeMembership(changes, found.path);
  if (known) {
    note(`${found.constant} exists and is kept as it is.`);
    return;
  }
  const { table, path } = resourceOf(found.constant);
  const list = roles.map((role) => `"${role}"`).join(", ");
  addMembers(
    changes,
    found.path,
    "enums =",
    `  /** The first is the most privileged. */\n  static override enums = { role: [${list}] };`,
  );
  const directory = found.package === undefined ? "db/migrate" : `packages/${found.package}/db/migrate`;
  const file = newMigration(app, changes, `add_roles_to_${path.replaceAll("/", "_")}`, directory);
  const locals = { table, key: `${oneOf(entity.constant)}_id`, owner: roles[0], least: roles.at(-1) };
  context.template(file, "roles_migration.ts", locals);
  note(`${found.constant} gets roles. The first member of each ${entity.constant} becomes its owner: see ${file}.`);
}

/** Makes a model a membership, unless it is one. */
function becomeMembership(changes: GeneratorContext["changes"], path: string): void {
  if (/\bMembership(?:Base)?\(/.test(changes.read(path) ?? "")) return;
  const base = importOne(changes, path, "framewright/plugins/memberships", "Membership");
  changes.edit(path, (text) =>
    text.replace(/extends (Model\("\w+"\)) \{\n/, (_, plain: string) => `extends ${base}(${plain}) {\n`),
  );
}

/** The table and classes of the scaffold; the model is a membership. */
async function write(context: GeneratorContext, { name, user, entity, roles }: Wanted): Promise<void> {
  const { compose, options, changes, app } = context;
  const { dest, extraAttributes } = options as { dest?: string; extraAttributes?: string };
  const fields = [
    `${oneOf(entity.constant)}:belongs_to{class:${entity.constant},on_delete:cascade}`,
    `${oneOf(user.constant)}:belongs_to:uniq{class:${user.constant},scope:${oneOf(entity.constant)},on_delete:cascade}`,
    `role:string{50,default:${roles.at(-1)}}`,
    ...fieldList(extraAttributes),
  ];
  await compose(scaffold, [name, ...fields], { dest: dest ?? "main_app" });
  const { path, package: owner } = app.model(name);
  const list = roles.map((role) => `"${role}"`).join(", ");
  becomeMembership(changes, path);
  addMembers(changes, path, "enums =", context.render("members.ts", { list, user: oneOf(user.constant) }));
  const files = filesOf(resourceOf(name), owner);
  addGroup(changes, files.definition, "People");
  const class_name = demodulize(name);
  context.template(files.policy, "policy.ts", {
    name: class_name,
    policy: `${class_name}Policy`,
    model_path: importPath(path),
    user: oneOf(user.constant),
  });
}

/** One side: its associations with its memberships and with what is on the other side, and the scope of those of one of these. */
function link({ changes }: GeneratorContext, side: ModelFile, membership: ModelFile, other: ModelFile): void {
  const through = manyOf(membership.constant);
  const plain = camelize(oneOf(membership.constant)) === membership.constant;
  addAssociations(changes, side.path, [
    { name: through, code: plain ? "hasMany()" : `hasMany({ class: "${membership.constant}" })` },
    { name: manyOf(other.constant), code: `hasMany({ through: "${through}" })` },
  ]);
  const [name, Other, one] = [demodulize(side.constant), demodulize(other.constant), oneOf(other.constant)];
  const Link = demodulize(membership.constant);
  const keys = `${Link}.query().select("${oneOf(side.constant)}_id").where("${one}_id", ${one}.id)`;
  const scope = `associatedWith${Other}`;
  if (changes.read(side.path)?.includes(`${scope}:`)) return;
  const parts = [`"${resourceOf(side.constant).table}.id"`, keys];
  const call = `query.whereIn(${parts.join(", ")})`;
  const broken = `query.whereIn(\n${parts.map((part) => `        ${part},\n`).join("")}      )`;
  addScope(changes, side.path, {
    name: scope,
    summary: `Those of one ${humanize(Other).toLowerCase()}: query.modify("${scope}", ${one}).`,
    code: `(query: Query<${name}>, ${one}: ${Other}) =>\n      ${call.length < MAX_LINE_CHARS - 6 ? call : broken}`,
  });
  importFrom(changes, side.path, "framewright/plugins/database", ["type Query"]);
  changes.addImport(side.path, `import type ${Other} from "${importPath(other.path)}";`);
  changes.addImport(side.path, `import ${Link} from "${importPath(membership.path)}";`);
}
