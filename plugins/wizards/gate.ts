import { type BaseController, type ControllerClass, HttpError, type Mixin, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { Visit, WizardClass } from "./contract/index.ts";
import { errors } from "./errors.ts";
import { baseOf, type DrawnMount, type Mounts } from "./mounts/mount.ts";
import { faceOf } from "./pages/customization.ts";
import { rememberGate, runsPath, wasCancelled } from "./pages/redirects.ts";
import { titleOf } from "./pages/replies.ts";
import { isWizardClass } from "./wizard.ts";

export interface GateOptions {
  /** The record that the wizard is anchored with; one anchored via a method finds it by itself. */
  anchor?: BaseModel;
}
/** What `WizardGate` gives a controller. */
export interface GateFace {
  /**
   * Sends the person to a one-time wizard until it is done, and back to where they were going afterwards; who cancelled
   * it is told that it has to be done first. For a gate that depends on the request, as the before-action of a controller
   * that extends through `WizardGate` alone.
   * @throws FW_WIZARD_GATE for a wizard that is never done, or has no address; HttpError 403 for JSON
   */
  ensureWizardCompleted(wizard: OneTimeWizard, options?: GateOptions): Promise<Reply | undefined>;
}
type OneTimeWizard = WizardClass & { readonly facts: { readonly oneTime: true } };
type Gated<B extends ControllerClass> = B & ControllerClass<BaseController & GateFace>;

/** The wizards that a class of controllers stands behind. */
interface Gates {
  readonly gates?: readonly WizardClass[];
}

/**
 * Puts a controller behind a one-time wizard: `concern(BaseController, WizardGate(OnboardWizard))`.
 * @throws FW_WIZARD_GATE for a wizard that is never done
 */
export function WizardGate(wizard: OneTimeWizard): Mixin<GateFace>;
export function WizardGate<B extends ControllerClass>(Base: B): Gated<B>;
export function WizardGate<B extends ControllerClass>(given: OneTimeWizard | B): Mixin<GateFace> | Gated<B> {
  if (!isWizardClass(given)) return gated(given as B);
  if (!given.facts.oneTime) throw errors.FW_WIZARD_GATE("WizardGate", given.name, never);
  return (Base) => behind(gated(Base), given) as never;
}

function gated<B extends ControllerClass>(Base: B): Gated<B> {
  class Gated extends (Base as ControllerClass) {
    ensureWizardCompleted(wizard: WizardClass, options: GateOptions = {}): Promise<Reply | undefined> {
      return ensureCompleted(this, wizard, options);
    }
  }
  return Gated as never;
}

function behind<B extends ControllerClass>(Base: Gated<B>, wizard: WizardClass): Gated<B> {
  const { gates: others } = Base as Gates;
  class Behind extends (Base as ControllerClass) {
    static readonly gates: readonly WizardClass[] = [...(others ?? []), wizard];
    static beforeActions = others ? [] : ["passWizardGates"];

    async passWizardGates(): Promise<Reply | undefined> {
      for (const one of (this.constructor as Gates).gates ?? []) {
        const reply = await ensureCompleted(this, one, {});
        if (reply) return reply;
      }
      return undefined;
    }
  }
  return Behind as never;
}

/** Refuses gates that nobody could pass from here. @throws FW_WIZARD_GATE */
export function checkGates(mounts: Mounts, controller: ControllerClass, owner: string | undefined): void {
  for (const wizard of (controller as Gates).gates ?? []) {
    const refuse = (why: string) => errors.FW_WIZARD_GATE(controller.name, wizard.name, why);
    if (wizard.facts.anchored?.with) throw refuse(missing);
    if (mounts.of(wizard, owner).length === 0) throw refuse(nowhere);
  }
}

const never = "may be done again and again: it is never completed. Say oneTime: true in Wizard(flow, { … })";
const nowhere = "has no address here. Mount it with registerWizard, or on a definition";
const missing = "is anchored with a record. Pass it: ensureWizardCompleted(…, { anchor: record })";

async function ensureCompleted(
  controller: BaseController,
  wizard: WizardClass,
  options: GateOptions,
): Promise<Reply | undefined> {
  const { request, currentUser } = controller;
  const { engine, mounts } = request.kernel.service("wizards");
  const reachable = reachableOf(mounts, controller, wizard);
  if (currentUser === undefined || mounts.isWizard(request.route)) return undefined;
  const visit = await visitOf(reachable, controller, wizard, options);
  if (await engine.isCompleted(visit)) return undefined;
  const { mount } = visit;
  if (request.format === "json") {
    const message = controller.t("wizards.gated", { wizard: titleOf({ controller, mount: mount as DrawnMount }) });
    throw new HttpError(403, "FW_WIZARD_GATED", message);
  }
  const going = request.method === "GET" ? request.path + (request.search ? `?${request.search}` : "") : undefined;
  const returnTo = going ?? faceOf(controller).wizardHome();
  rememberGate(controller, mount.name, returnTo);
  if (wasCancelled(controller, mount.name)) return controller.redirectTo(runsPath(visit));
  return controller.redirectTo(`${visit.base || "/"}?return_to=${encodeURIComponent(returnTo)}`);
}

const refuse = (controller: BaseController, wizard: WizardClass, why: string) =>
  errors.FW_WIZARD_GATE(controller.constructor.name, wizard.name, why);

/** Where the wizard can be reached from here. @throws FW_WIZARD_GATE where it can't, or is never done */
function reachableOf(mounts: Mounts, controller: BaseController, wizard: WizardClass): DrawnMount[] {
  if (!wizard.facts.oneTime) throw refuse(controller, wizard, never);
  const reachable = mounts.of(wizard, controller.request.engine?.name);
  if (reachable.length === 0) throw refuse(controller, wizard, nowhere);
  return reachable;
}

/** The wizard as this request would visit it. @throws FW_WIZARD_GATE */
async function visitOf(
  reachable: readonly DrawnMount[],
  controller: BaseController,
  wizard: WizardClass,
  { anchor: given }: GateOptions,
): Promise<Visit> {
  const via = wizard.facts.anchored?.via;
  const anchor = given ?? (via === undefined ? undefined : await faceOf(controller).wizardAnchor(via));
  const mount = reachable.find((one) => !one.onRecord || isOf(controller, one, anchor));
  if (!mount) throw refuse(controller, wizard, missing);
  const id = anchor === undefined ? undefined : String(anchor.$id());
  const base = baseOf(mount, mount.onMain ? "" : controller.request.mountPath, id);
  return { mount, controller, anchor, base, returnTo: undefined };
}

const isOf = ({ request }: BaseController, { resource }: DrawnMount, anchor: BaseModel | undefined): boolean =>
  anchor !== undefined && request.kernel.service("database").model(anchor.constructor as never).constant === resource;
