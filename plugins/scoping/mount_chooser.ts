import {
  type Application,
  type BaseController,
  type ControllerClass,
  demodulize,
  humanize,
  notFound,
  pluralize,
  type Reply,
} from "framewright/host";
import { messageOf } from "framewright/kernel";
import { type BaseModel, type Database, labelColumns, type Query } from "framewright/plugins/database";
import { isProbe } from "framewright/plugins/portals";
import type { ScopeRule } from "./contract.ts";
import { onlyOrLast } from "./last_tenant.ts";
import { enterableTenants } from "./membership_query.ts";
import { OPEN, otherPortals } from "./other_portals.ts";
import { tenantParam } from "./rules.ts";
import { tenantOrigin } from "./strategies.ts";
import { SWITCH_FRAME } from "./switcher.ts";
import { isMember, type ScopedController } from "./tenant_of_request.ts";

const MAX_TENANTS = 100;

/** Draws the mount's root without a tenant: it redirects to the user's only tenant, or lists them. */
export function drawMountChooser(application: Application, database: Database, rule: ScopeRule): void {
  const controller = chooserClass(application, rule);
  if (!controller) return;
  async function chooseEntity(entered: BaseController): Promise<Reply> {
    return chooseTenant(application, database, rule, entered);
  }
  rule.engine.entry = {
    verb: "GET",
    pattern: "/",
    segments: [],
    parameters: [],
    name: undefined,
    plugin: "scoping",
    controller,
    action: chooseEntity,
    metadata: { policy: "(memberships)" },
  };
}

/** Extends a controller of the portal, for its authentication; without its handling of a resource. */
function chooserClass({ constants }: Application, { engine }: ScopeRule): ControllerClass | undefined {
  const own = constants
    .all("controllers")
    .filter(({ file, value }) => inPortal(value) && file.includes(`/${engine.path}/`));
  const named = ["resource_controller", "dashboard_controller"].map((name) =>
    constants.byPath(`${engine.path}/${name}`),
  );
  const Portal = [...named.filter(inPortal), ...own.map(({ value }) => value)][0] as ControllerClass | undefined;
  if (!Portal) return undefined;
  return class EntryController extends Portal {
    enterResource(): void {}
  };
}

const inPortal = (value: unknown): boolean => typeof value === "function" && "inPortal" in value;

/** Lists the tenants that the person may enter, or leads to the only one. */
export async function chooseTenant(
  application: Application,
  database: Database,
  rule: ScopeRule,
  controller: BaseController & ScopedController,
): Promise<Reply> {
  const asked = controller.request.query.get("to");
  const to = typeof asked === "string" && SECTION.test(asked) ? asked : "";
  const mount = controller.request.mountPath.replace(/\/$/, "");
  const address = (entity: BaseModel): string =>
    rule.registered
      ? tenantOrigin(rule, application, entity, controller.request) + mount + to
      : `${mount}/${encodeURIComponent(tenantParam(rule, entity))}${to}`;
  const all = await listEnterable(database, rule, controller);
  const entities = rule.registered ? all.filter((entity) => hasAddress(application, address, entity)) : all;
  const isPage = controller.request.format !== "json";
  const leads = rule.registered === undefined && (entities.length === 1 || isPage); // browsers follow no form to another host
  const only = leads ? onlyOrLast(rule, controller, entities) : undefined;
  if (only && asked === undefined) return controller.redirectTo(address(only));
  if (isProbe(controller.request)) return answerProbe(controller, entities);
  if (entities.length === 0 && isPage && controller.welcomeUrl !== undefined)
    return controller.redirectTo(controller.welcomeUrl);
  const listed = entities.map((entity) => ({ id: entity.$id(), label: entity.toLabel(), url: address(entity) }));
  if (controller.request.format === "json") return controller.json({ data: listed });
  const portals = await otherPortals(application, controller);
  if (controller.request.frame === SWITCH_FRAME) {
    const tenants = listed.map(({ label, url }) => ({ label, url, home: url.slice(0, url.length - to.length) }));
    return answerMenu(rule, controller, tenants, portals);
  }
  const title = controller.t(entities.length > 0 ? "scoping.choose_title" : "scoping.none_title");
  return controller.render("scoping/choose", {
    layout: "basic",
    locals: { title, entities: listed, portals, navigation: [], welcome_url: controller.welcomeUrl },
  });
}

interface ListedTenant {
  readonly label: string;
  readonly url: string;
  /** Where its pages begin. */
  readonly home: string;
}
/** The menu of the sidebar, which marks the tenant whose page requests it. */
function answerMenu(
  { entity, engine }: ScopeRule,
  controller: BaseController,
  listed: readonly ListedTenant[],
  portals: Awaited<ReturnType<typeof otherPortals>>,
): Reply {
  const { referer = "", kernel } = controller.request;
  const from = `${referer.split("?", 1)[0]}/`;
  const entities = listed.map(({ label, url, home }) => ({ label, url, current: from.startsWith(`${home}/`) }));
  const registration = kernel.service("resources").registry.of(engine.name).get(entity.constant);
  const tenants = registration
    ? controller.request.tOr(`models.${registration.key}.many`, registration.labels.many)
    : humanize(pluralize(demodulize(entity.constant)));
  return controller.render("scoping/switch", { locals: { entities, portals, tenants } });
}

/** A tenant whose name makes no host name is logged: the others must stay in reach. */
function hasAddress({ log }: Application, address: (entity: BaseModel) => string, entity: BaseModel): boolean {
  try {
    return address(entity) !== "";
  } catch (error) {
    log.error({ err: error }, messageOf(error));
    return false;
  }
}

/** @throws HttpError 404 where the person may enter no tenant */
function answerProbe(controller: BaseController, entities: readonly BaseModel[]): Reply {
  if (entities.length === 0) throw notFound();
  return controller.head(OPEN);
}

/** The path of a list within a tenant, as in /posts, which switching to another tenant keeps. */
const SECTION = /^(?:\/[a-z0-9_-]+){1,6}$/i;
/** The tenants that the user may enter: the first 100 by name. */
async function listEnterable(
  database: Database,
  rule: ScopeRule,
  controller: BaseController & ScopedController,
): Promise<BaseModel[]> {
  const { entity: model } = rule;
  const all = database.query(model.class) as Query<BaseModel>;
  const own = controller.enterableEntities?.bind(controller);
  const narrowed = own ? own(database) : enterableTenants(database, rule, controller);
  const query = controller.authorizeEntity && !own ? all : narrowed;
  if (!query) return [];
  const label = labelColumns.find((name) => model.columns.has(name) && !model.encrypted.has(name)) ?? model.primaryKey;
  const found = (await query
    .orderBy([`${model.table}.${label}`, `${model.table}.${model.primaryKey}`])
    .limit(MAX_TENANTS)) as unknown as BaseModel[];
  if (!controller.authorizeEntity || own) return found;
  const may: BaseModel[] = [];
  for (const entity of found) if (await isMember(database, rule, controller as never, entity)) may.push(entity);
  return may;
}
