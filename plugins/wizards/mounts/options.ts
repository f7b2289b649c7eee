import type { Application } from "framewright/host";
import { describe, suggest } from "framewright/kernel";
import type { Views } from "framewright/plugins/views";
import type { WizardClass } from "../contract/index.ts";
import { errors } from "../errors.ts";
import { shortNameOf } from "./wizard_class.ts";

/** The options of `routes.registerWizard(Class, { … })`. */
export interface WizardMountOptions {
  /** The base path of the wizard, below the portal's mount path: `onboarding`. */
  at: string;
  /** The prefix of its path helpers; derived from `at` by default. */
  as?: string;
  /** Open to guests, on the main application; the wizard's `anonymous` by default. */
  public?: boolean;
  /** `basic`, `resource` or a layout of the application. */
  layout?: string;
}
const optionNames = ["at", "as", "public", "layout"];

/** @throws FW_WIZARD_MOUNT, FW_WIZARD_BULK, FW_WIZARD_AT */
export function checkMountOptions(wizard: WizardClass, options: WizardMountOptions): void {
  for (const name of Object.keys(options ?? {})) {
    if (/^bulk/i.test(name)) throw errors.FW_WIZARD_BULK(`registerWizard(${wizard.name})`, name);
    if (!optionNames.includes(name)) throw errors.FW_WIZARD_MOUNT(wizard.name, name, suggest(name, optionNames));
  }
  const { at, as, public: isOpen } = options ?? {};
  const refuse = (option: string, given: unknown) =>
    errors.FW_WIZARD_AT(wizard.name, option, typeof given === "string" ? JSON.stringify(given) : describe(given));
  if (typeof at !== "string" || !isPath(at)) throw refuse("at", at);
  if (as !== undefined && (typeof as !== "string" || !/^[a-z][a-z0-9_]*$/.test(as))) throw refuse("as", as);
  if (isOpen !== undefined && typeof isOpen !== "boolean") throw refuse("public", isOpen);
}

/** Whether a request can have this path: clients resolve "." and "..", and ".json" is parsed as a format. */
function isPath(at: string): boolean {
  if (!/^\/?(?:[\w~.-]+(?:\/[\w~.-]+)*)?$/.test(at)) return false;
  return !at.endsWith(".json") && !at.split("/").some((segment) => segment === "." || segment === "..");
}

/** The prefix of the path helpers: from `as`, else `at`, else the class name. */
export function helperOf(constant: string, { as, at }: WizardMountOptions): string {
  const path = at
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "")
    .toLowerCase();
  return as ?? (/^[a-z]/.test(path) ? path : shortNameOf(constant));
}

/** Whether a wizard's mount is public. @throws FW_WIZARD_PUBLIC, FW_WIZARD_ANCHOR */
export function isPublic(wizard: WizardClass, { public: given, layout }: WizardMountOptions): boolean {
  const { anonymous, anchored } = wizard.metadata;
  const where = "registerWizard";
  if (anchored?.with) {
    const names = anchored.with.map(({ name }) => name).join(" or ");
    const fix = `Mount it on the definition of ${names}: this.wizard("…", ${wizard.name}).`;
    throw errors.FW_WIZARD_ANCHOR(where, wizard.name, `with ${names}`, fix);
  }
  if (given === true && !anonymous)
    throw errors.FW_WIZARD_PUBLIC(
      where,
      wizard.name,
      "it sets public: true, but the wizard's runs belong to accounts. Set anonymous: true in Wizard(flow, { … }), or remove public",
    );
  if (given === false && anonymous)
    throw errors.FW_WIZARD_PUBLIC(
      where,
      wizard.name,
      "it sets public: false, but the wizard is anonymous. Remove public, or remove anonymous",
    );
  if (anonymous && layout === "resource")
    throw errors.FW_WIZARD_PUBLIC(
      where,
      wizard.name,
      'its layout is "resource", which has the sidebar and the menu of an account. Set layout: "basic", or remove layout',
    );
  return anonymous;
}

/** Refuses a layout that neither the application, the portal nor the framework has. @throws FW_WIZARD_LAYOUT */
export function checkLayout(
  host: Application,
  views: Views,
  wizard: WizardClass,
  owner: string | undefined,
  layout: unknown,
): void {
  const portal = owner === undefined ? undefined : host.engines.get(owner)?.path;
  if (typeof layout === "string" && /^[a-z0-9_/]+$/.test(layout) && views.exists(portal, `layouts/${layout}`)) return;
  const given = typeof layout === "string" ? JSON.stringify(layout) : describe(layout);
  throw errors.FW_WIZARD_LAYOUT(wizard.name, given, suggest(String(layout), ["basic", "resource"]));
}
