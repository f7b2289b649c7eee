import { type BaseController, type ControllerClass, HttpError, type Mixin, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { Visit, WizardClass } from "./contract/index.ts";
import { errors } from "./errors.ts";
import { baseOf, type DrawnMount, type Mounts } from "./mounts/mount.ts";
import { customizationOf } from "./pages/customization.ts";
import { rememberGate, runsPath, wasCancelled } from "./pages/redirects.ts";
import { titleOf } from "./pages/replies.ts";
import { isWizardClass } from "./wizard.ts";

/** Options of `gate()`. */
export interface GateOptions {
  /** The record of a wizard that is anchored with a model; a wizard anchored via a method needs none. */
  anchor?: BaseModel;
}
/** What `WizardGate` adds to a controller. */
export interface WizardGateMethods {
  /**
   * Redirects to a one-time wizard until it is completed, and back to the requested page afterwards; after a cancel, to the
   * page that asks to complete it first. For a gate that depends on the request: call it in a before-action of a controller
   * that extends `WizardGate` without a wizard.
   * @throws FW_WIZARD_GATE for a wizard that is not one-time, or not mounted; HttpError 403 for JSON
   */
  ensureWizardCompleted(wizard: OneTimeWizard, options?: GateOptions): Promise<Reply | undefined>;
}
type OneTimeWizard = WizardClass & { readonly metadata: { readonly oneTime: true } };
type Gated<B extends ControllerClass> = B & ControllerClass<BaseController & WizardGateMethods>;

/** The wizards that gate a controller class. */
interface Gates {
  readonly gates?: readonly WizardClass[];
}

/**
 * Gates a controller with a one-time wizard: `concern(BaseController, WizardGate(OnboardWizard))`.
 * @throws FW_WIZARD_GATE for a wizard that is not one-time
 */
export function WizardGate<T extends OneTimeWizard | ControllerClass>(
  given: T,
): T extends ControllerClass ? Gated<T> : Mixin<WizardGateMethods>;
export function WizardGate(given: OneTimeWizard | ControllerClass): Mixin<WizardGateMethods> | Gated<ControllerClass> {
  if (!isWizardClass(given)) return withGateMethods(given as ControllerClass);
  if (!given.metadata.oneTime) throw errors.FW_WIZARD_GATE("WizardGate", given.name, NEVER_COMPLETED);
  return (Base) => withGate(withGateMethods(Base), given) as never;
}

function withGateMethods<B extends ControllerClass>(Base: B): Gated<B> {
  class Gated extends (Base as ControllerClass) {
    ensureWizardCompleted(wizard: WizardClass, options: GateOptions = {}): Promise<Reply | undefined> {
      return ensureCompleted(this, wizard, options);
    }
  }
  return Gated as never;
}

function withGate<B extends ControllerClass>(Base: Gated<B>, wizard: WizardClass): Gated<B> {
  const { gates: others } = Base as Gates;
  class WithGate extends (Base as ControllerClass) {
    static readonly gates: readonly WizardClass[] = [...(others ?? []), wizard];
    static beforeActions = others ? [] : ["passWizardGates"];

    async passWizardGates(): Promise<Reply | undefined> {
      for (const gate of (this.constructor as Gates).gates ?? []) {
        const reply = await ensureCompleted(this, gate, {});
        if (reply) return reply;
      }
      return undefined;
    }
  }
  return WithGate as never;
}

/** Refuses, at boot, gates that nobody could pass. @throws FW_WIZARD_GATE */
export function checkGates(mounts: Mounts, controller: ControllerClass, owner: string | undefined): void {
  for (const wizard of (controller as Gates).gates ?? []) {
    const refuse = (why: string) => errors.FW_WIZARD_GATE(controller.name, wizard.name, why);
    if (wizard.metadata.anchored?.with) throw refuse(NEEDS_ANCHOR);
    if (mounts.reachableFrom(wizard, owner).length === 0) throw refuse(NOT_MOUNTED);
    mounts.gates.add(wizard);
  }
}

const NEVER_COMPLETED = "can be repeated, so it is never completed. Set oneTime: true in Wizard(flow, { … })";
const NOT_MOUNTED = "has no address here. Mount it with registerWizard, or on a definition";
const NEEDS_ANCHOR = "is anchored with a record. Pass it: ensureWizardCompleted(…, { anchor: record })";

async function ensureCompleted(
  controller: BaseController,
  wizard: WizardClass,
  options: GateOptions,
): Promise<Reply | undefined> {
  const { request, currentUser } = controller;
  const { engine, mounts } = request.kernel.service("wizards");
  const reachable = reachableMounts(mounts, controller, wizard);
  mounts.gates.add(wizard);
  if (currentUser === undefined || request.actorFor(currentUser)) return undefined;
  if (isBeforeTenants(controller) || leadsThroughGates(mounts, controller)) return undefined;
  const visit = await gateVisit(reachable, controller, wizard, options);
  if (await engine.isCompleted(visit)) return undefined;
  const { mount } = visit;
  if (request.format === "json") {
    const message = controller.t("wizards.gated", { wizard: titleOf({ controller, mount: mount as DrawnMount }) });
    throw new HttpError(403, "FW_WIZARD_GATED", message);
  }
  const requested = request.method === "GET" ? request.path + (request.search ? `?${request.search}` : "") : undefined;
  const returnTo = requested ?? customizationOf(controller).wizardHome();
  rememberGate(controller, mount.name, returnTo);
  if (wasCancelled(controller, mount.name)) return controller.redirectTo(runsPath(visit));
  return controller.redirectTo(`${visit.base || "/"}?return_to=${encodeURIComponent(returnTo)}`);
}

/** Whether a request is to the page that leads on to one of the tenants, which wizards of the portal are below. */
const isBeforeTenants = ({ request: { engine }, currentScopedEntity }: BaseController): boolean =>
  engine?.tenantRule !== undefined && currentScopedEntity === undefined;

/** Whether a request is to a wizard that is a gate itself: who has to go through several goes through one after the other. */
function leadsThroughGates(mounts: Mounts, controller: BaseController): boolean {
  const wizard = mounts.wizardAt(controller);
  return wizard !== undefined && mounts.gates.has(wizard);
}

const refuse = (controller: BaseController, wizard: WizardClass, why: string) =>
  errors.FW_WIZARD_GATE(controller.constructor.name, wizard.name, why);

/** Where the controller can reach the wizard. @throws FW_WIZARD_GATE where it can't, or the wizard is not one-time */
function reachableMounts(mounts: Mounts, controller: BaseController, wizard: WizardClass): DrawnMount[] {
  if (!wizard.metadata.oneTime) throw refuse(controller, wizard, NEVER_COMPLETED);
  const reachable = mounts.reachableFrom(wizard, controller.request.engine?.name);
  if (reachable.length === 0) throw refuse(controller, wizard, NOT_MOUNTED);
  return reachable;
}

/** The visit that this request would make to the wizard. @throws FW_WIZARD_GATE */
async function gateVisit(
  reachable: readonly DrawnMount[],
  controller: BaseController,
  wizard: WizardClass,
  { anchor: given }: GateOptions,
): Promise<Visit> {
  const via = wizard.metadata.anchored?.via;
  const anchor = given ?? (via === undefined ? undefined : await customizationOf(controller).wizardAnchor(via));
  const mount = reachable.find((one) => !one.onRecord || isAnchorOf(controller, one, anchor));
  if (!mount) throw refuse(controller, wizard, NEEDS_ANCHOR);
  const param =
    anchor && mount.onRecord
      ? controller.request.kernel.service("resources").registry.of(mount.owner).get(mount.resource!)!.paramOf(anchor)
      : undefined;
  const base = baseOf(mount, controller.request, param === undefined ? undefined : String(param));
  return { mount, controller, anchor, base, returnTo: undefined };
}

const isAnchorOf = ({ request }: BaseController, { resource }: DrawnMount, anchor: BaseModel | undefined): boolean =>
  anchor !== undefined &&
  request.kernel
    .service("database")
    .model(anchor.constructor as never)
    .lineage.some(({ constant }) => constant === resource);
