import type { Action, Application, BaseController, Verb } from "framewright/host";
import type { ModelInfo } from "framewright/plugins/database";
import { predicateOf, type Registration, type ResourcePlace } from "framewright/plugins/resources";
import type { WizardClass } from "../contract/index.ts";
import { errors } from "../errors.ts";
import { openResourceRequest } from "../pages/open_request.ts";
import { wizardsOf } from "./definition_macro.ts";
import { drawWizard } from "./draw_mounts.ts";
import type { Mounts } from "./mount.ts";
import { constantOf, isOnRecord } from "./wizard_class.ts";

/** Adds a mount for each wizard of a resource's definition. @throws FW_WIZARD_ANCHOR, FW_POLICY_PREDICATE */
export function mountOnResource(application: Application, mounts: Mounts, registration: Registration): void {
  const { owner, definition, constant } = registration;
  for (const [key, wizard] of wizardsOf(definition)) {
    const onRecord = isOnRecord(wizard);
    if (onRecord) checkAnchor(registration.model, wizard, definition.constructor.name);
    const policy = definition.actions.get(key)?.policy ?? key;
    checkPredicate(registration, key, wizard, predicateOf(policy));
    mounts.add({
      wizard,
      name: constantOf(application, wizard),
      kind: "resource",
      owner,
      key,
      at: `${registration.path}${onRecord && !registration.singular ? "/:id" : ""}/wizards/${key}`,
      public: false,
      layout: undefined,
      helper: undefined,
      onMain: owner === undefined,
      portal: owner,
      resource: constant,
      onRecord,
      policy,
      hasOwnLayout: false,
      controller: undefined,
    });
  }
}

/** Draws the routes of a resource's wizards on the resource's controller: at its own path and below a parent's. */
export function drawOnResource(mounts: Mounts, place: ResourcePlace, layout = "resource"): void {
  const { owner, constant, definition } = place.about.registration;
  const here = [...wizardsOf(definition).keys()].map((key) => mounts.onResource(owner, constant, key)!);
  const bases = new Set(here.map(({ onRecord }) => (onRecord ? place.member : place.base)));
  for (const base of bases) {
    const options = { policy: "(by wizard)", layout };
    const draw = (verb: Verb, path: string, action: Action) => place.draw(verb, path, { action, ...options });
    const enter = (controller: BaseController) => openResourceRequest(mounts, controller);
    const { launch } = drawWizard(mounts, draw, { base: `${base}/wizards/:wizard_name` }, enter);
    mounts.setWizardsOf(
      launch,
      here.map(({ wizard }) => wizard),
    );
  }
}

/** Refuses a policy without the predicate: what a policy does not define is denied to everybody. @throws FW_POLICY_PREDICATE */
function checkPredicate(
  { policyClass, definition }: Registration,
  key: string,
  { name }: WizardClass,
  predicate: string,
): void {
  if (typeof policyClass.prototype[predicate] === "function") return;
  throw errors.FW_POLICY_PREDICATE(definition.constructor.name, key, name, policyClass.name, predicate);
}

/** A wizard has to be anchored with the resource's model, or a class that the model extends. @throws FW_WIZARD_ANCHOR */
function checkAnchor({ class: model, constant }: ModelInfo, wizard: WizardClass, definition: string): void {
  const anchors = wizard.metadata.anchored?.with ?? [];
  if (anchors.some((anchor) => model === (anchor as unknown) || model.prototype instanceof anchor)) return;
  const names = anchors.map(({ name }) => name).join(" or ");
  const fix = `Mount it on the definition of ${names}, or add ${constant} to anchored({ with: … }).`;
  throw errors.FW_WIZARD_ANCHOR(definition, wizard.name, `with ${names}`, fix);
}
