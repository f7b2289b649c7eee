import { type BaseController, type ControllerClass, HttpError, type Mixin, type Reply } from "framewright";
import type { BaseModel } from "framewright/plugins/database";
import { errors } from "./errors.ts";
import type { Visit, WizardClass } from "./faces.ts";
import { baseOf, type DrawnMount, type Mounts } from "./mounts/mount.ts";
import { titleOf } from "./pages/answers.ts";
import { rememberGate, runsPath, wasCancelled } from "./pages/destinations.ts";
import { faceOf } from "./pages/face.ts";

export interface GateOptions {
  /** The record that the wizard is anchored with; one anchored via a method finds it by itself. */
  anchor?: BaseModel;
}
/** What `WizardGate` gives a controller. */
export interface GateFace {
  /**
   * Sends the person to a one-time wizard until it is done, and back to where they were going afterwards; who cancelled
   * it is told that it has to be done first. As a before-action: `static beforeActions = ["onboarded"]; onboarded() { return this.ensureWizardCompleted(OnboardWizard); }`.
   * @throws FW_WIZARD_GATE for a wizard that is never done, or has no address; HttpError 403 for JSON
   */
  ensureWizardCompleted(wizard: WizardClass, options?: GateOptions): Promise<Reply | undefined>;
}

/** Gates a controller behind a one-time wizard (S4.4). */
export const WizardGate: Mixin<GateFace> = (Base) => {
  class Gated extends (Base as ControllerClass) {
    ensureWizardCompleted(wizard: WizardClass, options: GateOptions = {}): Promise<Reply | undefined> {
      return ensureCompleted(this, wizard, options);
    }
  }
  return Gated as never;
};

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
  const never = "may be done again and again: it is never completed. Say oneTime: true in Wizard(flow, { … })";
  if (!wizard.facts.oneTime) throw refuse(controller, wizard, never);
  const reachable = mounts.of(wizard, controller.request.engine?.name);
  const nowhere = "has no address here. Mount it with registerWizard, or on a definition";
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
  const missing = "is anchored with a record. Pass it: ensureWizardCompleted(…, { anchor: record })";
  if (!mount) throw refuse(controller, wizard, missing);
  const id = anchor === undefined ? undefined : String(anchor.$id());
  const base = baseOf(mount, mount.onMain ? "" : controller.request.mountPath, id);
  return { mount, controller, anchor, base, returnTo: undefined };
}

const isOf = ({ request }: BaseController, { resource }: DrawnMount, anchor: BaseModel | undefined): boolean =>
  anchor !== undefined && request.kernel.service("database").model(anchor.constructor as never).constant === resource;
