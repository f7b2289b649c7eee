import { messageOf } from "framewright/kernel";
import { errors, usage } from "../../errors.ts";
import { defineGenerator } from "../../generator.ts";
import { type ApplicationFiles, importPath } from "../../support/application.ts";
import { credentialNote, isCredential } from "../../support/credentials.ts";
import { checkTable } from "../../support/migrations.ts";
import { camelize, lowerCamel, pathOf, singularize } from "../../support/names.ts";
import { checkReserved } from "../../support/reserved.ts";
import { filesOf, type Resource, resourceOf } from "../../support/resource.ts";
import { braced, indexLines, type Linkable, listed, schemaLine, validationOf } from "./code.ts";
import { type ExistingTable, fieldsOf, readTable } from "./existing_table.ts";
import { fieldHelp, parseFields } from "./fields.ts";
import { link } from "./link.ts";
import { migrationPath } from "./migration.ts";
import { type Entry, modelParts } from "./model_parts.ts";
import { sampleOf } from "./samples.ts";

export default defineGenerator({
  name: "fw:res:scaffold",
  summary: "Create a resource: model, migration, policy, definition, controller and test",
  example: "fw generate fw:res:scaffold Post title:string 'body:text?' author:belongs_to{class:User} --dest=blogging",
  args: "<name> [field...]",
  options: {
    dest: { summary: "main_app, or the feature package of the resource", value: "PACKAGE" },
    no_model: { summary: "Keep the existing model and its migration" },
  },
  help: fieldHelp,
  directory: import.meta.dirname,
  async run({ args, options, app, changes, template, note }) {
    const [given, ...texts] = args;
    const { constant, owner } = place(given!, options.dest, app, note);
    const resource = resourceOf(constant);
    checkTable(resource.table);
    const files = filesOf(resource, owner);
    if (isSet(options, "no_model")) app.model(constant);
    const hasModel = isSet(options, "no_model") || (texts.length === 0 && app.has(files.model));
    const migration = migrationPath(app, changes, owner, resource.table);
    const present = await findTable({ app, resource, texts, migration, hasModel, note });
    const parsed = texts.length === 0 && present ? fieldsOf(present, app) : parseFields(texts);
    const fields = parsed.map((field) => link(field, resource.constant, app));
    const left = fields.filter(({ column, name }) => isCredential(column) || isCredential(name));
    const names = fields.filter((field) => !left.includes(field)).map(({ name }) => name);
    const locals = { ...resource, ...modelLocals(fields), ...policyLocals(names), model_path: importPath(files.model) };
    const needsMigration = migration !== undefined && !present && !isSet(options, "no_model");
    if (!hasModel || needsMigration) template(files.model, "model.ts", locals);
    if (needsMigration) template(migration, "migration.ts", locals);
    else if (present) note(`The table ${resource.table} exists: its columns were used, and no migration was written.`);
    template(files.policy, "policy.ts", locals);
    template(files.definition, "definition.ts", locals);
    template(files.controller, "controller.ts", locals);
    template(`test/resources/${resource.path}.test.ts`, "test.ts", { ...locals, ...testLocals(fields) });
    if (left.length > 0)
      note(
        credentialNote(
          files.policy,
          left.map(({ column }) => column),
        ),
      );
    note(
      `\nNext:\n${needsMigration ? "  npx fw db:migrate\n" : ""}  npx fw generate fw:res:conn ${constant} --dest=PORTAL`,
    );
  },
});

const isSet = (options: object, name: string): boolean =>
  (options as Record<string, unknown>)[lowerCamel(name)] === true;

interface TableSearch {
  app: ApplicationFiles;
  resource: Resource;
  texts: readonly string[];
  migration: string | undefined;
  hasModel: boolean;
  note(line: string): void;
}

/** The existing table, read if a migration might create it twice, or if its columns replace the field arguments. @throws FW_TABLE_UNMIGRATED */
async function findTable({
  app,
  resource,
  texts,
  migration,
  hasModel,
  note,
}: TableSearch): Promise<ExistingTable | undefined> {
  const isDrafted = migration !== undefined && app.has(migration);
  if (texts.length > 0 && (isDrafted || hasModel)) return undefined;
  try {
    const present = await readTable(app, resource.table, resource.constant);
    if (!present && hasModel && !isDrafted) throw errors.FW_TABLE_UNMIGRATED(resource.constant, resource.table);
    return present;
  } catch (error) {
    if (texts.length === 0) throw error;
    note(
      `The application does not boot, so it is unknown whether the table ${resource.table} exists: ${messageOf(error)}`,
    );
    return undefined;
  }
}

/** The constant and the package of a resource: Post in blogging is Blogging::Post. */
function place(given: string, dest: string | undefined, app: ApplicationFiles, note: (line: string) => void) {
  const path = pathOf(given);
  if (!/^[a-z][a-z0-9_]*(\/[a-z][a-z0-9_]*)*$/.test(path))
    throw usage.FW_NAME_INVALID("a resource", given, "as in Post, Blogging::Post or blogging/post");
  const singular = singularize(path);
  checkReserved("a resource", singular, { isClass: true });
  if (singular !== path) note(`${given} is a plural: the resource is named ${camelize(singular)}.`);
  const module = singular.split("/")[0]!;
  const hasOwnPackage = singular.includes("/") && app.has(`packages/${module}`) && !module.endsWith("_portal");
  const owner = dest === undefined ? (hasOwnPackage ? module : undefined) : app.destination(dest);
  const isInside = owner === undefined || singular.startsWith(`${owner}/`);
  return { constant: camelize(isInside ? singular : `${owner}/${singular}`), owner };
}

/** The contents of model and migration. */
export function modelLocals(fields: readonly Linkable[]) {
  const { associations, money, enums, validations } = modelParts(fields);
  const written = (entries: readonly Entry[]) =>
    entries.length > 0
      ? braced(
          entries.map(({ name, code }) => `${name}: ${code}`),
          "  ",
        )
      : "";
  return {
    columns: [...fields.map(schemaLine), ...indexLines(fields)],
    associations: written(associations),
    money: written(money),
    enums: written(enums),
    validations: written(validations),
  };
}

const policyLocals = (names: readonly string[]) => ({
  create_list: listed(names),
  read_list: listed([...names, "created_at", "updated_at"]),
});

/** Locals of the test: whether it can create a record alone, and whether an empty one is refused. */
function testLocals(fields: readonly Linkable[]) {
  const asked = fields.filter(({ nullable }) => !nullable);
  const values = asked.map((field) => `${field.column}: ${sampleOf(field)}`);
  return {
    creatable: asked.every(({ type }) => type !== "belongs_to"),
    refusable: asked.some((field) => field.type === "belongs_to" || validationOf(field) !== undefined),
    samples: values.length > 0 ? braced(values, "    ") : "{}",
  };
}
