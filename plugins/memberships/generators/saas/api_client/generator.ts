import { defineGenerator, type GeneratorContext, type ModelFile, usage } from "framewright/generators";
import { camelize, demodulize, underscore } from "framewright/host/inflection";
import {
  addMembers,
  addPlugins,
  filesOf,
  importOne,
  importPath,
  portalOf,
  resourceOf,
} from "../../../../../generators/toolkit/index.ts";
import { listed, returned } from "../../../../database/generators/toolkit/index.ts";
import { portalGenerator as portal } from "../../../../portals/generators/toolkit/index.ts";
import { connectByTemplates, scaffoldGenerator as scaffold } from "../../../../resources/generators/toolkit/index.ts";
import { constantOf, fieldList, oneOf } from "../names.ts";
import { managerOf, managersOption, rolesIn } from "../roles.ts";
import { clientFields, clientRoles } from "./fields.ts";
import { membershipOf } from "./membership.ts";

export default defineGenerator({
  name: "fw:saas:api_client",
  summary: "Create API clients: programs of a tenant with a key and a role, managed in a portal, and a portal for them",
  example: "fw generate fw:saas:api_client ApiClient --entity=Organization --portal=dashboard_portal",
  args: "<name>",
  options: {
    entity: { summary: "The model of the tenants; Organization by default", value: "CLASS" },
    roles: {
      summary: "The roles, the least privileged first, which may only read; read_only,write,admin by default",
      value: "LIST",
    },
    extra_attributes: { summary: "Further columns, as in note:text?", value: "FIELDS" },
    portal: { summary: "The portal whose members manage the clients", value: "PORTAL" },
    ...managersOption,
  },
  help: "The model lists the roles the other way round: as in memberships, the first is the most privileged.",
  directory: import.meta.dirname,
  async run(context) {
    const { args, options, app, changes, note } = context;
    const constant = constantOf("an API client", args[0]!);
    const given = clientRoles(options.roles);
    const entity = app.model(options.entity ?? "Organization");
    const managed = await portalOf(app, options.portal);
    const membership = membershipOf(context, managed, entity);
    const found = app.models().find((model) => model.constant === constant);
    if (found) checkExisting(context, found, given);
    else await writeModel(context, constant, entity, given);
    addPlugins(changes, ["memberships", "apiKeyScopes"]);
    const model = app.model(constant);
    const roles = rolesIn(app.read(model.path)) ?? given;
    connect(context, model, managed, managerOf(context, { portal: managed, membership, asked: options.managers }));
    const api = await writePortal(context, model, entity, roles);
    note(`\nNext:\n  npx fw db:migrate\n  npx fw generate fw:res:conn RESOURCE --dest=${api}`);
  },
});

/** @throws FW_NAME_INVALID, FW_FLAG_VALUE */
function checkExisting({ app, note, options }: GeneratorContext, found: ModelFile, roles: readonly string[]): void {
  const source = app.read(found.path);
  if (!/\bApiClientModel(?:Base)?\(/.test(source))
    throw usage.FW_NAME_INVALID("an API client", found.constant, "a model of that name exists that is none");
  const known = rolesIn(source);
  const isAsked = (options as { roles?: string }).roles !== undefined;
  if (isAsked && known && known.join() !== roles.join())
    throw usage.FW_FLAG_VALUE(
      "--roles",
      `those that ${found.constant} has (${known.toReversed().join()}); change them in ${found.path}`,
    );
  note(`${found.constant} exists and is kept as it is.`);
}

/** The table and classes of the scaffold; the model is one of API clients. */
async function writeModel(
  { compose, app, changes, options, render, template }: GeneratorContext,
  constant: string,
  entity: ModelFile,
  roles: readonly string[],
): Promise<void> {
  const texts = fieldList((options as { extraAttributes?: string }).extraAttributes);
  const extra = clientFields(texts);
  const tenant = oneOf(entity.constant);
  const fields = [
    `${tenant}:belongs_to{class:${entity.constant},on_delete:cascade}`,
    `name:string:uniq{scope:${tenant}}`,
    "role:string{50}",
    "key_digest:string:uniq{64}",
    "key_hint:string{4}",
    "disabled_at:datetime?",
    "last_used_at:datetime?",
    "scopes:text?",
    "expires_at:datetime?",
    ...texts,
  ];
  await compose(scaffold, [constant, ...fields], { dest: "main_app" });
  const model = app.model(constant);
  const base = importOne(changes, model.path, "framewright/plugins/memberships", "ApiClientModel");
  changes.edit(model.path, (text) =>
    text.replace(/extends (Model\("\w+"\)) \{\n/, (_, plain: string) => `extends ${base}(${plain}) {\n`),
  );
  addMembers(changes, model.path, "enums =", render("members.ts", { roles: listed(roles) }));
  const name = demodulize(constant);
  const names = extra.map((field) => field.name);
  template(filesOf(resourceOf(constant), model.package).policy, "policy.ts", {
    name,
    policy: `${name}Policy`,
    model_path: importPath(model.path),
    update_list: returned(["name", ...names]),
    read_list: returned([
      "name",
      "role",
      "key_hint",
      "scopes",
      "expires_at",
      "disabled_at",
      "last_used_at",
      ...names,
      "created_at",
    ]),
  });
}

/** The clients as a resource of the portal, for managers. */
function connect(context: GeneratorContext, model: ModelFile, portal: string, manager: string): void {
  const { options, template } = context;
  const folder = `app/interactions/${underscore(model.constant.replaceAll("::", "/"))}`;
  const extra = clientFields(fieldList((options as { extraAttributes?: string }).extraAttributes));
  const client = { client: demodulize(model.constant), path: importPath(model.path) };
  template(`${folder}/add.ts`, "add.ts", { ...client, fields: extra });
  const bases = { rotate: "RotateApiKey", disable: "DisableApiClient", enable: "EnableApiClient" };
  for (const [action, base] of Object.entries(bases))
    template(`${folder}/${action}.ts`, "interaction.ts", { name: camelize(action), base });
  const locals = { folder: `#${folder}`, manager };
  connectByTemplates(context, { portal, model, prefix: "managed_", locals });
}

/** The portal of the clients, unless it exists. Returns its name. @throws FW_NAME_INVALID */
async function writePortal(
  { app, compose, changes, template }: GeneratorContext,
  model: ModelFile,
  entity: ModelFile,
  roles: readonly string[],
): Promise<string> {
  const short = oneOf(model.constant);
  const name = `${short}_portal`;
  const base = `packages/${name}`;
  const concern = `${base}/app/controllers/${name}/concerns/controller.ts`;
  if (app.portals().includes(name)) {
    if (!changes.read(concern)?.includes("apiClientByKey("))
      throw usage.FW_NAME_INVALID(
        "an API client",
        model.constant,
        `a portal ${name} exists that is not for API clients`,
      );
    return name;
  }
  await compose(portal, [short], { byo: true, scope: entity.constant });
  const locals = {
    constant: camelize(name),
    client: demodulize(model.constant),
    client_path: importPath(model.path),
    entity: demodulize(entity.constant),
    entity_path: importPath(entity.path),
    writes: roles.at(-2),
  };
  template(`${base}/lib/engine.ts`, "engine.ts", locals);
  template(concern, "api_concern.ts", locals);
  template(`${base}/app/policies/${name}/resource_policy.ts`, "api_resource_policy.ts", locals);
  return name;
}
