import type { ModelInfo } from "framewright/plugins/database";
import { errors } from "../../errors.ts";
import { defineGenerator } from "../../generator.ts";
import type { ApplicationFiles, ModelFile } from "../../support/application.ts";
import { openApp } from "../../support/load_app.ts";
import { camelize } from "../../support/names.ts";
import { portalOrMainApp } from "../../support/portal.ts";
import { type OwnerLink, ownerLinkOf, type PolicySeed, seedOf } from "./columns.ts";
import { connectToMainApp } from "./main_app.ts";
import { check, labelNote, registrationOf } from "./options.ts";
import { register, registeredIn } from "./registrations.ts";
import { writeClasses } from "./write_classes.ts";

export default defineGenerator({
  name: "fw:res:conn",
  summary: "Connect resources to a portal: controller, policy and definition there, and their routes",
  example: "fw generate fw:res:conn Blogging::Post Blogging::Comment --dest=admin_portal",
  args: "<resource> [...resource]",
  options: {
    dest: { summary: "The portal, or main_app for the application's own routes", value: "PORTAL" },
    singular: { summary: "One record, without an id in its path, as in /profile" },
    label: { summary: "What one record is called there, as in Member", value: "LABEL" },
    policy: { summary: "Write the policy, and the others only with --definition and --controller" },
    definition: { summary: "Write the definition, and the others only with --policy and --controller" },
    controller: { summary: "Write the controller, and the others only with --policy and --definition" },
  },
  directory: import.meta.dirname,
  async run(context) {
    const { args, options, app, changes, note } = context;
    check(args, options);
    const portal = await portalOrMainApp(app, options.dest);
    const models = [...new Set(args.map((name) => app.model(name)))];
    if (portal === undefined) return connectToMainApp(context, models, registrationOf(options));
    const infos = await introspect(app, models);
    const routes = `packages/${portal}/config/routes.ts`;
    const before = registeredIn(routes, changes.read(routes) ?? "", app.models());
    const registered = new Set([...before.keys(), ...models.map(({ constant }) => constant)]);
    for (const model of models) {
      const info = infos.get(model.constant)!;
      const seed = seedOf(info, (constant) => registered.has(constant));
      const owner = options.singular ? ownerLinkOf(info, app.accounts().map(camelize)) : undefined;
      writeClasses(context, { portal, model, seed: owner ? withoutOwner(seed, owner) : seed, ...options });
      if (owner && !owner.unique) note(uniqueNote(info, owner));
      if (!before.has(model.constant)) register(changes, routes, model, { options: registrationOf(options) });
      else if (options.label !== undefined) note(labelNote(model, routes, options.label));
      for (const { constant, name } of parentsOf(info, before)) {
        note(`${constant} has ${name}: list "${name}" in its policy's permittedAssociations() to show them there.`);
      }
    }
  },
});

/** Removes the owner from the form: it is the person who creates the record. */
const withoutOwner = (seed: PolicySeed, { name }: OwnerLink): PolicySeed => ({
  ...seed,
  create: seed.create.filter((one) => one !== name),
});

const uniqueNote = ({ constant, table }: ModelInfo, { account, column }: OwnerLink): string =>
  `Each ${account} has one ${constant}, but other code could create two. To refuse a second in the database, write a migration: await db.addIndex("${table}", ["${column}"], { unique: true });`;

/** The columns and associations of each model, from the database. @throws FW_TABLE_UNMIGRATED */
async function introspect(app: ApplicationFiles, models: readonly ModelFile[]): Promise<Map<string, ModelInfo>> {
  const open = await openApp({ root: app.root });
  try {
    const database = open.kernel.service("database", "fw:res:conn");
    const infos = models.map(({ constant }) => [constant, database.model(constant)] as const);
    for (const [constant, info] of infos) if (!info.exists) throw errors.FW_TABLE_UNMIGRATED(constant, info.table);
    return new Map(infos);
  } finally {
    await open.close();
  }
}

/** Resources connected earlier that have an association to this one. */
function parentsOf(info: ModelInfo, before: ReadonlyMap<string, string>): { constant: string; name: string }[] {
  if (before.has(info.constant)) return [];
  const parents = [...info.associations.values()].filter(
    ({ kind, target }) => kind === "belongsTo" && before.has(target.constant),
  );
  return parents.flatMap(({ target }) =>
    [...target.associations.values()]
      .filter(
        ({ kind, through, target: child }) =>
          kind !== "belongsTo" && through === undefined && child.constant === info.constant,
      )
      .map(({ name }) => ({ constant: target.constant, name })),
  );
}
