import { type Application, admitsGuests, BaseController, type ControllerClass, concern } from "framewright/host";
import { suggest } from "framewright/kernel";
import { PublicAccess, portalController } from "framewright/plugins/portals";
import type { WizardClass } from "../contract/index.ts";
import { WizardController } from "../controllers.ts";
import { errors } from "../errors.ts";

/** The controller of a route-mounted wizard: the application's conventional one, else a generated class. @throws FW_WIZARD_CONTROLLER, FW_WIZARD_PUBLIC, FW_WIZARD_VIA */
export function controllerFor(
  host: Application,
  wizard: WizardClass,
  owner: string | undefined,
  isPublic: boolean,
): ControllerClass {
  const controller = isPublic
    ? publicController(host)
    : owner === undefined
      ? mainController(host, wizard)
      : ownerController(host, wizard, owner);
  checkVia(host, wizard, controller, owner);
  return controller;
}

/** Module-level: by application, for mounts that share one class. */
const publicClasses = new WeakMap<Application, ControllerClass>();

const classAt = ({ constants }: Application, path: string) => constants.byPath(path) as ControllerClass | undefined;

/** Extends ApplicationController, so that it has no current user. */
function publicController(host: Application): ControllerClass {
  const own = classAt(host, "public_wizards_controller");
  if (own) return checkedPublic(host, own);
  const known = publicClasses.get(host);
  if (known) return known;
  const Base = classAt(host, "application_controller") ?? BaseController;
  const Guests = concern(Base, WizardController, PublicAccess) as unknown as ControllerClass;
  const made = class PublicWizardsController extends Guests {};
  publicClasses.set(host, made);
  return made;
}

/** Refuses a controller that does not admit guests, or that signs people in. @throws FW_WIZARD_PUBLIC */
function checkedPublic({ authModes }: Application, own: ControllerClass): ControllerClass {
  const { authentication, name } = own as unknown as typeof BaseController;
  const example =
    "class PublicWizardsController extends concern(ApplicationController, WizardController, PublicAccess) {}";
  const refuse = (what: string) => errors.FW_WIZARD_PUBLIC(name, "anonymous wizards", `${what}. Extend it: ${example}`);
  if (!("servesWizards" in own)) throw refuse("no WizardController in its chain");
  if (authentication === undefined) throw refuse("no PublicAccess in its chain");
  if (authentication.mode !== "public" || !admitsGuests(authModes, own))
    throw refuse(`its authentication is "${authentication.account ?? authentication.mode}", which refuses guests`);
  return own;
}

/** Whether nobody has an account there: a `findCurrentUser` of its own may know people in a public portal. */
function isForGuestsAlone(controller: ControllerClass): boolean {
  const { authentication, prototype } = controller as unknown as typeof BaseController;
  return authentication?.mode === "public" && prototype.findCurrentUser === BaseController.prototype.findCurrentUser;
}

/** The application has to write this one: its authentication can't be guessed. @throws FW_WIZARD_CONTROLLER */
function mainController(host: Application, { name }: WizardClass): ControllerClass {
  const own = classAt(host, "wizards_controller");
  const place = "the main application";
  const example =
    'class WizardsController extends concern(ApplicationController, WizardController, Authlib("user")) {}';
  if (!own)
    throw errors.FW_WIZARD_CONTROLLER(
      name,
      place,
      `Write app/controllers/wizards_controller.ts: export default ${example}.`,
    );
  if (!("servesWizards" in own))
    throw errors.FW_WIZARD_CONTROLLER(
      name,
      place,
      `WizardsController does not include WizardController. Extend it: ${example}.`,
    );
  const { authentication } = own as unknown as typeof BaseController;
  if (authentication === undefined)
    throw errors.FW_WIZARD_CONTROLLER(
      name,
      place,
      `WizardsController has no authentication concern. Extend it: ${example}.`,
    );
  if (isForGuestsAlone(own))
    throw errors.FW_WIZARD_CONTROLLER(
      name,
      place,
      `WizardsController signs nobody in, and the runs of a wizard belong to accounts. Extend it: ${example}; or set anonymous: true in Wizard(flow, { … }).`,
    );
  return own;
}

/** The portal's own controller, or a generated one with the portal's authentication, scope and layout. @throws FW_WIZARD_CONTROLLER, FW_WIZARD_PUBLIC */
function ownerController(host: Application, { name }: WizardClass, owner: string): ControllerClass {
  const path = host.engines.get(owner)!.path;
  const own =
    classAt(host, `${path}/wizards_controller`) ??
    portalController(host, owner, "wizards", (Base) => WizardController(Base) as unknown as ControllerClass);
  if (own && !isForGuestsAlone(own)) return own;
  if (own)
    throw errors.FW_WIZARD_PUBLIC(
      owner,
      name,
      "its runs belong to accounts, and nobody signs in there. Mount it in another portal, or set anonymous: true in Wizard(flow, { … })",
    );
  throw errors.FW_WIZARD_CONTROLLER(
    name,
    owner,
    `Write packages/${path}/app/controllers/${path}/wizards_controller.ts: export default class WizardsController extends Controller(WizardBaseController) {}, through the portal's concern.`,
  );
}

/** A wizard anchored via a method needs a controller that has it. @throws FW_WIZARD_VIA */
export function checkVia(
  host: Application,
  { metadata, name }: WizardClass,
  controller: ControllerClass,
  owner: string | undefined,
): void {
  const via = metadata.anchored?.via;
  if (via === undefined) return;
  const methods = methodsOf(controller);
  const scoped = owner !== undefined && host.engines.get(owner)?.tenantRule !== undefined;
  const known = [...(scoped ? ["currentUser", "currentScopedEntity"] : ["currentUser"]), ...methods];
  if (known.includes(via)) return;
  const isTenant = via === "currentScopedEntity";
  const why = owner === undefined ? "The main application has no tenant" : `${owner} is not scoped to one`;
  const fix = isTenant
    ? `${why}: mount the wizard in a portal that calls scopeToEntity, or name another method in anchored({ via: … }).`
    : methodFix(host, owner);
  throw errors.FW_WIZARD_VIA(name, controller.name, via, isTenant ? undefined : suggest(via, known), fix);
}

/** Which file needs the method; where the class is the framework's own, one that is to be written. */
function methodFix({ constants, engines }: Application, owner: string | undefined): string {
  const below = owner === undefined ? "" : `${engines.get(owner)!.path}/`;
  const folder = owner === undefined ? "" : `packages/${below}`;
  const file = `${folder}app/controllers/${below}wizards_controller.ts`;
  return constants.byPath(`${below}wizards_controller`)
    ? `Add a method of that name that returns the record to ${file}.`
    : `Write ${file}: class WizardsController extends Controller(WizardBaseController), with a method of that name that returns the record.`;
}

/** The methods that classes below BaseController add. */
function methodsOf(controller: ControllerClass): string[] {
  const names: string[] = [];
  for (
    let at = controller.prototype;
    at && at !== BaseController.prototype && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  )
    names.push(...Object.getOwnPropertyNames(at));
  return names.filter((name) => name !== "constructor");
}
