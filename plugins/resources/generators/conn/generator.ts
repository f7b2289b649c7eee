import { type ApplicationFiles, defineGenerator, type ModelFile } from "framewright/generators";
import { camelize, demodulize } from "framewright/host/inflection";
import type { ModelInfo } from "framewright/plugins/database";
import { errors, openApp, portalOrMainApp } from "../../../../generators/toolkit/index.ts";
import { isPulled } from "../db_pull/is_pulled.ts";
import { type OwnerLink, ownerLinkOf, type PolicySeed, seedOf } from "./columns.ts";
import { connectToMainApp } from "./main_app.ts";
import { type Admission, admissionOf, closedTo, isOpened } from "./openness.ts";
import { check, registeredNote, registrationOf } from "./options.ts";
import { entranceOf, type PortalEntrance, writePortalTest } from "./portal_test.ts";
import { isRegisteredAs, register, registeredIn } from "./registrations.ts";
import { filledByPlugins } from "./test_values.ts";
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
    open: {
      summary: "Let the feature's policy decide also for accounts of another type, as which anybody may sign up",
    },
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
    const admission = admissionOf(changes, portal);
    const { infos, hasTenants, entrance } = await introspect(app, models, portal, admission);
    const account = closedTo(app, changes, admission, hasTenants);
    const routes = `packages/${portal}/config/routes.ts`;
    const before = registeredIn(routes, changes.read(routes) ?? "", app.models());
    const registered = new Set([...before.keys(), ...models.map(({ constant }) => constant)]);
    const pulled: string[] = [];
    for (const model of models) {
      const { info, outside, strayFrom } = infos.get(model.constant)!;
      const filled = filledByPlugins(info.class);
      const whole = seedOf(info, (constant) => registered.has(constant));
      const seed = { ...whole, create: whole.create.filter((name) => !outside.has(name)) };
      if (whole.create.length > seed.create.length) note(outsideNote(info, [...outside]));
      const owner = options.singular ? ownerLinkOf(info, app.accounts().map(camelize)) : undefined;
      const isClosed = account !== undefined && !owner && !(await isOpened(options.open, model.constant, account));
      writeClasses(context, {
        portal,
        model,
        seed: owner ? withoutOwner(seed, owner) : seed,
        ...options,
        isEntered: (column) => !admission.isPublic && !filled.has(column),
        outside: owner ? new Set([...outside, owner.name, owner.column]) : outside,
        closedTo: isClosed ? account : undefined,
      });
      if (admission.isPublic) note(guestsNote(model, portal));
      const isWhole = ![options.policy, options.definition, options.controller, options.singular].includes(true);
      const isTested = isWhole && !isClosed && entrance;
      if (isTested && isPulled(app, model)) pulled.push(model.constant);
      else if (isTested) writePortalTest(context, entrance, { portal, model, info, create: seed.create });
      if (owner && !owner.unique) note(uniqueNote(info, owner));
      const registration = registrationOf(options);
      const name = before.get(model.constant);
      if (name === undefined) register(changes, routes, model, { options: registration });
      else if (registration !== "" && !isRegisteredAs(changes.read(routes)!, name, registration))
        note(registeredNote(model, routes, `registerResource(${name}, ${registration})`));
      if (strayFrom !== undefined) note(strayNote(model, portal, strayFrom));
      for (const { constant, name } of parentsOf(info, before)) {
        note(`${constant} has ${name}: list "${name}" in its policy's permittedAssociations() to show them there.`);
      }
    }
    if (pulled.length > 0) note(untestedNote(pulled));
  },
});

const untestedNote = (constants: readonly string[]): string =>
  `No test was written of ${constants.join(", ")}: tests begin with an empty database, and these tables were there before. How tests get them: node_modules/framewright/docs/how-to/put-it-over-an-existing-database.md, "Tests".`;

const guestsNote = ({ constant }: ModelFile, portal: string): string =>
  `Guests of ${camelize(portal)} read each ${constant} for which the policy there permits it. Hide some, as drafts, by a method of that policy: relationScope(query: Query<${demodulize(constant)}>) { return query.where("status", "published"); }`;

/** Removes the owner from the form: it is the person who creates the record. */
const withoutOwner = (seed: PolicySeed, { name }: OwnerLink): PolicySeed => ({
  ...seed,
  create: seed.create.filter((one) => one !== name),
});

const uniqueNote = ({ constant, table }: ModelInfo, { account, column }: OwnerLink): string =>
  `Each ${account} has one ${constant}, but other code could create two. To refuse a second in the database, write a migration: await db.addIndex("${table}", ["${column}"], { unique: true });`;

const outsideNote = ({ constant }: ModelInfo, names: readonly string[]): string =>
  `The form of ${constant} has no ${names.join(", ")} there: the portal has tenants, to whom none of these records belong.`;

const strayNote = ({ constant, path }: ModelFile, portal: string, tenant: string): string =>
  `${constant} leads to no ${tenant}, to which ${portal} is scoped: the application does not boot until it does. Write in ${path} a belongsTo that leads there, or which records a tenant has: static override scopes = { associatedWith${demodulize(tenant)}: (query) => query }, which is for a table that all share.`;

/** A model, and its associations with records that belong to no tenant of the portal: its forms can't offer these. */
interface Introspected {
  info: ModelInfo;
  outside: ReadonlySet<string>;
  /** The tenant's model, where the model's own records belong to none. */
  strayFrom: string | undefined;
}

/** The columns and associations of each model, from the database, whether the portal has tenants, and how a test enters it. @throws FW_TABLE_UNMIGRATED */
async function introspect(
  app: ApplicationFiles,
  models: readonly ModelFile[],
  portal: string,
  { account }: Admission,
): Promise<{ infos: Map<string, Introspected>; hasTenants: boolean; entrance: PortalEntrance | undefined }> {
  const open = await openApp({ root: app.root, anyColumns: true, logTo: "stderr" });
  try {
    const database = open.kernel.service("database", "fw:res:conn");
    const infos = models.map(({ constant }) => [constant, database.model(constant)] as const);
    for (const [constant, info] of infos) if (!info.exists) throw errors.FW_TABLE_UNMIGRATED(constant, info.table);
    const scoping = open.kernel.has("scoping") ? open.kernel.service("scoping") : undefined;
    const rule = scoping?.ruleOf(camelize(portal));
    const isOutside = (target: ModelInfo) => rule !== undefined && !scoping!.leadsToTenant(target, rule);
    const found = infos.map(([constant, info]) => {
      const strayFrom = isOutside(info) ? rule!.entity.constant : undefined;
      return [constant, { info, outside: outsideOf(info, isOutside), strayFrom }] as const;
    });
    return { infos: new Map(found), hasTenants: rule !== undefined, entrance: entranceOf(open, portal, account) };
  } finally {
    await open.close();
  }
}

function outsideOf({ associations, polymorphic }: ModelInfo, isOutside: (target: ModelInfo) => boolean): Set<string> {
  const single = [...associations.values()].filter(({ kind, target }) => kind === "belongsTo" && isOutside(target));
  const several = [...polymorphic.values()].filter(({ targets }) => [...targets.values()].some(isOutside));
  return new Set([...single, ...several].map(({ name }) => name));
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
