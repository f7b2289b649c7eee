import { type BaseController, forbidden, notFound, unauthorized } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import type { Engine, Staged, Visit } from "../contract/index.ts";
import { baseOf, type DrawnMount, type Mounts } from "../mounts/mount.ts";
import { faceOf } from "./customization.ts";
import { returnToOf } from "./redirects.ts";

/** One request at a wizard, once it was let in. */
export interface Entered {
  readonly mount: DrawnMount;
  readonly visit: Visit;
  readonly engine: Engine;
  readonly controller: BaseController;
  /** The page of what the wizard is about: the record, or the list. */
  readonly onto: string | undefined;
}

/** Lets a request in at a mount of `registerWizard`. @throws HttpError 401, 403, 404 */
export async function enterRoute(mount: DrawnMount, controller: BaseController): Promise<Entered> {
  checkUser(mount, controller);
  const { via } = mount.wizard.facts.anchored ?? {};
  const anchor = via === undefined ? undefined : found(await faceOf(controller).wizardAnchor(via));
  const base = baseOf(mount, mount.onMain ? "" : controller.request.mountPath);
  return enter(mount, controller, anchor, base, undefined);
}

/** Lets a request in at a resource: its record is found and the policy asked before anything else. @throws HttpError 401, 403, 404 */
export async function enterResource(mounts: Mounts, given: BaseController): Promise<Entered> {
  const controller = given as ResourceController;
  const mount = mountAt(mounts, controller);
  checkUser(mount, controller);
  const { via } = mount.wizard.facts.anchored ?? {};
  if (mount.onRecord) controller.record = await controller.findRecord();
  const record = controller.record;
  await controller.authorizeAction(mount.policy!, record);
  const anchor = via === undefined ? record : found(await faceOf(controller).wizardAnchor(via));
  const onto = record ? controller.urlFor(record) : controller.listUrl;
  return enter(mount, controller, anchor, `${onto}/wizards/${mount.key}`, onto);
}

/** The wizard that the path names, where it belongs. @throws HttpError 404 */
function mountAt(mounts: Mounts, { request, registration, about }: ResourceController): DrawnMount {
  const mount = mounts.onResource(registration.owner, registration.constant, request.routeParams.wizard_name ?? "");
  const isSingle = registration.singular || about.parent?.association.kind === "hasOne";
  if (!mount || (!isSingle && mount.onRecord !== "id" in request.routeParams)) throw notFound();
  return mount;
}

/** Wizards ask for somebody who is signed in, unless they are for guests. */
function checkUser({ wizard }: DrawnMount, { currentUser }: BaseController): void {
  if (!wizard.facts.anonymous && currentUser === undefined) throw unauthorized();
}

function found(anchor: BaseModel | undefined): BaseModel {
  if (!anchor) throw notFound();
  return anchor;
}

async function enter(
  mount: DrawnMount,
  controller: BaseController,
  anchor: BaseModel | undefined,
  base: string,
  onto: string | undefined,
): Promise<Entered> {
  const visit: Visit = { mount, controller, anchor, base, returnTo: returnToOf(controller, base) };
  await authorize(visit);
  const { engine } = controller.request.kernel.service("wizards");
  return { mount, visit, engine, controller, onto };
}

/** Asks the wizard whether this person may go through it, before each request. @throws HttpError 403 */
async function authorize(visit: Visit): Promise<void> {
  const wizard = wizardFor(visit);
  if (wizard.authorize && !(await wizard.authorize())) throw forbidden();
}

/** A wizard's object, outside of its transaction. */
export function wizardFor({ mount, controller, anchor }: Visit, staged: Staged = {}) {
  const { currentUser, currentScopedEntity } = controller;
  const context = {
    currentUser,
    currentScopedEntity,
    anchor,
    staged,
    persisted: {},
    controller,
    transaction: undefined,
  };
  return new mount.wizard(context);
}
