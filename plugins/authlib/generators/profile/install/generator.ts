import { defineGenerator, type GeneratorContext, type ModelFile } from "framewright/generators";
import { camelize, demodulize, underscore } from "framewright/host/inflection";
import {
  accountTypesOf,
  addAssociations,
  addMembers,
  filesOf,
  importDefault,
  importFrom,
  importOne,
  importPath,
  type Resource,
  resourceOf,
} from "../../../../../generators/toolkit/index.ts";
import { parseFields, returned } from "../../../../database/generators/toolkit/index.ts";
import { isCredential, scaffoldGenerator as scaffold } from "../../../../resources/generators/toolkit/index.ts";
import { defaultName, splitArguments, userModelOf, userOption } from "../names.ts";

export default defineGenerator({
  name: "fw:profile:install",
  summary:
    "Create the profile of an account: model, migration, policy, definition, controller, and `profile` on the account",
  example: "fw generate fw:profile:install name:string 'about:text'",
  args: "[Name] [field...]",
  options: {
    ...userOption,
    dest: { summary: "main_app, or the feature package of the profile", value: "PACKAGE" },
  },
  help: `The class is <User>Profile by default, and the field name:string. Its fields are optional in the database: an account
has its profile before anything is entered.`,
  directory: import.meta.dirname,
  async run(context) {
    const { args, options, app, note } = context;
    const user = userModelOf(app, options);
    const { name = defaultName(user), fields } = splitArguments(args);
    const owner = options.dest === undefined ? undefined : app.destination(options.dest);
    const texts = fields.length > 0 ? fields : ["name:string"];
    const names = parseFields(texts).filter((field) => !isCredential(field.column) && !isCredential(field.name));
    await context.compose(scaffold, [name, ...texts.map(optional), ownerField(user)], { dest: owner ?? "main_app" });
    const resource = resourceOf(constantIn(owner, name));
    writeProfile(context, { resource, owner, user, names: names.map((field) => field.name) });
    extendUser(context, user, resource, filesOf(resource, owner).model);
    for (const type of accountTypesOf(app, user))
      keepSweeping(context, `app/authlib/${type}_authlib_plugin.ts`, resource);
    note(`\nNext:\n  npx fw db:migrate\n  npx fw generate fw:profile:conn ${resource.constant} --dest=PORTAL`);
  },
});

/** The field with a `?` after its type. */
const optional = (field: string): string => {
  const [name, ...rest] = field.split(":");
  const [type = "string", ...modifiers] = rest;
  return [name, type.replace(/^(\w+)\??/, "$1?"), ...modifiers].join(":");
};

const ownerField = ({ constant }: ModelFile): string =>
  `${underscore(demodulize(constant))}:belongs_to:uniq{class:${constant},on_delete:cascade}`;

const constantIn = (owner: string | undefined, name: string): string =>
  owner === undefined || name.includes("::") ? name : `${camelize(owner)}::${name}`;

interface Profile {
  resource: Resource;
  owner: string | undefined;
  user: ModelFile;
  names: readonly string[];
}

/** The classes of the profile in place of the scaffold's. */
function writeProfile({ template }: GeneratorContext, { resource, owner, user, names }: Profile): void {
  const files = filesOf(resource, owner);
  const locals = {
    ...resource,
    model_path: importPath(files.model),
    user: demodulize(user.constant),
    user_path: importPath(user.path),
    create_list: returned(names),
    read_list: returned(names),
  };
  template(files.policy, "policy.ts", locals);
  template(files.definition, "definition.ts", locals);
  template(files.controller, "controller.ts", locals);
}

/** An unverified account still counts as unused when only its profile refers to it. */
function keepSweeping({ changes, note }: GeneratorContext, path: string, { table }: Resource): void {
  const text = changes.read(path)!;
  if (text.includes(`"${table}"`)) return;
  if (text.includes("signUpTables")) note(`${path} overrides signUpTables: add "${table}" to its list.`);
  const list = `return [...super.signUpTables, "${table}"];`;
  addMembers(changes, path, "signUpTables", `  override get signUpTables() {\n    ${list}\n  }`);
}

/** The account has one profile, created with it. */
function extendUser(
  { changes, render }: GeneratorContext,
  { path, constant }: ModelFile,
  { name, constant: profile }: Resource,
  file: string,
): void {
  const database = "framewright/plugins/database";
  importFrom(changes, path, database, ["findOrCreate"]);
  const locals = {
    profile: importDefault(changes, path, { name, from: importPath(file), suffix: "Model" }),
    user: demodulize(constant),
    foreign_key: `${underscore(demodulize(constant))}_id`,
    context: importOne(changes, path, database, "type QueryContext"),
    transaction: importOne(changes, path, database, "type Transaction"),
  };
  addAssociations(changes, path, [{ name: "profile", code: `hasOne({ class: "${profile}" })` }]);
  addMembers(changes, path, "findOrCreateProfile(", render("user_members.ts", locals));
}
