import { type BaseController, forbidden, notFound, unauthorized } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import type { Run, RunEngine, Staged, Visit } from "../contract/index.ts";
import { baseOf, type DrawnMount, type Mounts } from "../mounts/mount.ts";
import { customizationOf } from "./customization.ts";
import { returnToOf } from "./redirects.ts";

/** One authorized request at a wizard, as its pages see it. */
export interface PageContext {
  readonly mount: DrawnMount;
  readonly visit: Visit;
  readonly engine: RunEngine;
  readonly controller: BaseController;
  /** The page that a wizard on a resource was launched from: the record, or the list. */
  readonly subjectUrl: string | undefined;
  /** Whether the condition of a wizard on a resource is true: where it is false, nothing is started or advanced. */
  readonly applies: boolean;
}

/** Authorizes a request at a mount of `registerWizard`. @throws HttpError 401, 403, 404 */
export async function openRouteRequest(mount: DrawnMount, controller: BaseController): Promise<PageContext> {
  checkUser(mount, controller);
  const { via } = mount.wizard.metadata.anchored ?? {};
  const anchor = via === undefined ? undefined : found(await customizationOf(controller).wizardAnchor(via));
  const base = baseOf(mount, controller.request);
  return { ...(await openRequest(mount, controller, anchor, base)), subjectUrl: undefined, applies: true };
}

/** Authorizes a request at a resource: finds the record and checks the policy first. @throws HttpError 401, 403, 404 */
export async function openResourceRequest(mounts: Mounts, given: BaseController): Promise<PageContext> {
  const controller = given as ResourceController;
  const mount = mountAt(mounts, controller);
  checkUser(mount, controller);
  const { via } = mount.wizard.metadata.anchored ?? {};
  if (mount.onRecord) controller.record = await controller.findRecord();
  const record = controller.record;
  await controller.authorizeAction(mount.policy!, record);
  const anchor = via === undefined ? record : found(await customizationOf(controller).wizardAnchor(via));
  const subjectUrl = record ? controller.urlFor(record) : controller.listUrl;
  const { condition } = controller.registration.definition.actions.get(mount.key!) ?? {};
  const { currentUser, currentScopedEntity } = controller;
  const applies = condition?.({ record, currentUser, currentScopedEntity }) ?? true;
  const opened = await openRequest(mount, controller, anchor, `${subjectUrl}/wizards/${mount.key}`);
  return { ...opened, subjectUrl, applies };
}

/** The mount that the path names, if the path fits it. @throws HttpError 404 */
function mountAt(mounts: Mounts, { request, registration, about }: ResourceController): DrawnMount {
  const mount = mounts.onResource(registration.owner, registration.constant, request.routeParams.wizard_name ?? "");
  const isSingle = registration.singular || about.parent?.association.kind === "hasOne";
  if (!mount || (!isSingle && mount.onRecord !== "id" in request.routeParams)) throw notFound();
  return mount;
}

/** Wizards require a signed-in user, unless they are anonymous; whoever acts for another person is refused. @throws HttpError 401, 403 */
function checkUser({ wizard }: DrawnMount, { currentUser, request }: BaseController): void {
  if (request.actorFor(currentUser)) throw forbidden(); // runs and drafts are the person's own
  if (!wizard.metadata.anonymous && currentUser === undefined) throw unauthorized();
}

function found(anchor: BaseModel | undefined): BaseModel {
  if (!anchor) throw notFound();
  return anchor;
}

async function openRequest(
  mount: DrawnMount,
  controller: BaseController,
  anchor: BaseModel | undefined,
  base: string,
): Promise<Omit<PageContext, "subjectUrl" | "applies">> {
  const visit: Visit = { mount, controller, anchor, base, returnTo: returnToOf(controller, base) };
  await authorize(visit);
  const { engine } = controller.request.kernel.service("wizards");
  return { mount, visit, engine, controller };
}

/**
 * Refuses a wizard whose condition is false, as an action is. Runs that ended have their pages all the same: the condition is
 * often what their completion made false.
 * @throws HttpError 404
 */
export function checkApplies({ applies }: PageContext, run?: Run): void {
  if (!applies && (run === undefined || run.state === "in_progress")) throw notFound();
}

/** Calls the wizard's `authorize`, on each request. @throws HttpError 403 */
async function authorize(visit: Visit): Promise<void> {
  const wizard = wizardFor(visit);
  if (wizard.authorize && !(await wizard.authorize())) throw forbidden();
}

/** An instance of the wizard, outside of a transaction. */
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
