import { type ApplicationFiles, defineGenerator, usage } from "framewright/generators";
import { camelize, demodulize, humanize, pathOf } from "framewright/host/inflection";
import { isBuiltInPredicate } from "framewright/plugins/resources/names";
import { createdTables, importPath } from "../../../../generators/toolkit/index.ts";
import { addToDefinition, addToRoutes, routeLine } from "./mounting.ts";
import { parseSteps } from "./steps.ts";

const RUNS_TABLE = "framewright_wizard_runs";

export default defineGenerator({
  name: "fw:wizard",
  summary: "Create a wizard: its class with initial steps, and its mount",
  example: "fw generate fw:wizard Onboard --steps=company:name:city,billing --one-time --dest=customer_portal",
  args: "<name>",
  options: {
    steps: { summary: "Its steps, each with its fields after colons", value: "STEPS" },
    anchored: { summary: "The model whose records it is launched on", value: "MODEL" },
    via: { summary: "The controller's method that returns the record that it is about", value: "METHOD" },
    anonymous: { summary: "For guests" },
    one_time: { summary: "Completed once per person, or per record and person" },
    dest: { summary: "main_app, a feature package or a portal", value: "PACKAGE" },
  },
  directory: import.meta.dirname,
  run(context) {
    const { args, app, changes, template, note } = context;
    const options = context.options as Options;
    checkTogether(options);
    const key = keyOf(args[0]!);
    const steps = parseSteps(options.steps);
    const { owner, portal } = placeOf(app, options.dest);
    const model = options.anchored === undefined ? undefined : app.model(options.anchored);
    if (model) checkPredicate(key);
    const name = `${camelize(key)}Wizard`;
    const file = owner ? `packages/${owner}/app/wizards/${owner}/${key}_wizard.ts` : `app/wizards/${key}_wizard.ts`;
    const written = { name, file, key };
    const anchor = model ? demodulize(model.constant) : options.via ? "via" : "";
    template(file, "wizard.ts", {
      name,
      label: humanize(key),
      steps,
      anchor,
      model: model ? anchor : "",
      model_path: model ? importPath(model.path) : "",
      options: optionLines(options, model !== undefined),
    });
    if (model) addToDefinition(context, model, portal, written);
    else if (portal && options.via !== undefined && !hasMethod(app, portal, options.via))
      note(
        `It is not registered yet: write ${options.via}(), which returns its record, in packages/${portal}/app/controllers/${portal}/concerns/controller.ts (currentScopedEntity is there in a portal with tenants alone). Then add to packages/${portal}/config/routes.ts: ${routeLine(written)}`,
      );
    else if (portal) addToRoutes(changes, `packages/${portal}/config/routes.ts`, "fw:resources", written);
    else if (options.anonymous && changes.exists("config/routes.ts"))
      addToRoutes(changes, "config/routes.ts", "fw:mounts", written);
    else
      note(
        `Register it in a portal's config/routes.ts, or in config/routes.ts with a WizardsController: ${routeLine(written)}`,
      );
    if (portal && !options.anonymous && isPublic(app, portal))
      note(
        `${portal} has no sign-in, and ${name} requires a user: pass --anonymous, or add authentication to the portal.`,
      );
    if (portal && options.anonymous) note(`Guests open it at ${guestAddress(app, portal, key)}.`);
    if (!createdTables(app).has(RUNS_TABLE)) note("\nNext:\n  npx fw generate fw:wizards:install\n  npx fw db:migrate");
  },
});

interface Options {
  steps?: string;
  anchored?: string;
  via?: string;
  anonymous?: boolean;
  oneTime?: boolean;
  dest?: string;
}

/** Refuses what Wizard(flow, { … }) would refuse, before anything is written. @throws FW_FLAGS_CLASH, FW_NAME_INVALID */
function checkTogether({ anchored, via, anonymous, oneTime }: Options): void {
  if (anchored !== undefined && via !== undefined) throw usage.FW_FLAGS_CLASH(["--anchored", "--via"]);
  if (anonymous && anchored !== undefined) throw usage.FW_FLAGS_CLASH(["--anonymous", "--anchored"]);
  if (anonymous && oneTime) throw usage.FW_FLAGS_CLASH(["--anonymous", "--one-time"]);
  if (via !== undefined && !/^[A-Za-z_]\w*$/.test(via))
    throw usage.FW_NAME_INVALID("a method", via, "as in --via=currentScopedEntity");
}

/** `OnboardOrganization` and `onboard_organization_wizard` are both `onboard_organization`. @throws FW_NAME_INVALID */
function keyOf(given: string): string {
  const key = pathOf(given).replace(/_wizard$/, "");
  if (!/^[a-z][a-z0-9_]*$/.test(key))
    throw usage.FW_NAME_INVALID("a wizard", given, "as in Onboard or onboard_company");
  return key;
}

/** The key of a wizard on a resource names a predicate of its policy. @throws FW_NAME_INVALID */
function checkPredicate(key: string): void {
  if (isBuiltInPredicate(key))
    throw usage.FW_NAME_INVALID(
      "a wizard on a resource",
      key,
      "every policy has a predicate of that name. Choose another",
    );
}

function placeOf(app: ApplicationFiles, dest: string | undefined) {
  if (dest === undefined) return { owner: undefined, portal: undefined };
  const portal = app.portalNamed(dest);
  return { owner: portal ?? app.destination(dest), portal };
}

/** Whether the controllers of a portal have the method by which a wizard finds its record; without it nothing boots. */
function hasMethod(app: ApplicationFiles, portal: string, via: string): boolean {
  if (via === "currentUser") return true;
  const read = (path: string) => (app.has(path) ? app.read(path) : "");
  if (via === "currentScopedEntity") return /\bscopeToEntity\(/.test(read(`packages/${portal}/lib/engine.ts`));
  const own = `packages/${portal}/app/controllers/${portal}`;
  const files = [`${own}/concerns/controller.ts`, `${own}/wizards_controller.ts`];
  return files.some((path) => new RegExp(`\\b${via}\\s*\\(`).test(read(path)));
}

function isPublic(app: ApplicationFiles, portal: string): boolean {
  const concern = `packages/${portal}/app/controllers/${portal}/concerns/controller.ts`;
  return app.has(concern) && /\bPublicAccess\b/.test(app.read(concern)) && !/\bCurrentUser\b/.test(app.read(concern));
}

/** An anonymous wizard is drawn on the main application, where there is no tenant. */
function guestAddress(app: ApplicationFiles, portal: string, key: string): string {
  const engine = `packages/${portal}/lib/engine.ts`;
  const isScoped = app.has(engine) && /\bscopeToEntity\(/.test(app.read(engine));
  const within = `/${key.replaceAll("_", "-")}, outside of ${portal}`;
  return isScoped ? `${within} and without its tenant: ask for the tenant in a step, and set it in execute()` : within;
}

/** The options of the wizard but for the model of its anchor, as source code. */
function optionLines({ via, anonymous, oneTime }: Options, hasModel: boolean): string[] {
  const isAnchored = hasModel || via !== undefined;
  return [
    ...(via === undefined ? [] : [`anchored: anchored({ via: "${via}" })`]),
    ...(oneTime && !isAnchored ? ["concurrencyKey: (run) => run.currentUser"] : []),
    ...(oneTime ? ["oneTime: true"] : []),
    ...(anonymous ? ["anonymous: true"] : []),
  ];
}
