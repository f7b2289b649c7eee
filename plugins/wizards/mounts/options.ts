import type { Application } from "framewright/host";
import { describe, suggest } from "framewright/kernel";
import type { Views } from "framewright/plugins/views";
import type { WizardClass } from "../contract/index.ts";
import { errors } from "../errors.ts";
import { shortNameOf } from "./wizard_class.ts";

/** What `routes.registerWizard(Class, { … })` takes. */
export interface WizardMountOptions {
  /** The base path of the wizard's steps, below the mount of the portal: `onboarding`. */
  at: string;
  /** The prefix of its path helpers; from `at` unless told. */
  as?: string;
  /** Open to guests, on the main application; the wizard's own `anonymous` unless told. */
  public?: boolean;
  /** `basic`, `resource` or a layout of the application. */
  layout?: string;
}
const known = ["at", "as", "public", "layout"];

/** @throws FW_WIZARD_MOUNT, FW_WIZARD_BULK, FW_WIZARD_AT */
export function checkMountOptions(wizard: WizardClass, options: WizardMountOptions): void {
  for (const name of Object.keys(options ?? {})) {
    if (/^bulk/i.test(name)) throw errors.FW_WIZARD_BULK(`registerWizard(${wizard.name})`, name);
    if (!known.includes(name)) throw errors.FW_WIZARD_MOUNT(wizard.name, name, suggest(name, known));
  }
  const { at, as, public: open } = options ?? {};
  const refuse = (option: string, given: unknown) =>
    errors.FW_WIZARD_AT(wizard.name, option, typeof given === "string" ? JSON.stringify(given) : describe(given));
  if (typeof at !== "string" || !isPath(at)) throw refuse("at", at);
  if (as !== undefined && (typeof as !== "string" || !/^[a-z][a-z0-9_]*$/.test(as))) throw refuse("as", as);
  if (open !== undefined && typeof open !== "boolean") throw refuse("public", open);
}

/** Whether requests can have it as their path: "." and ".." never arrive, and ".json" is read as a format. */
function isPath(at: string): boolean {
  if (!/^\/?(?:[\w~.-]+(?:\/[\w~.-]+)*)?$/.test(at)) return false;
  return !at.endsWith(".json") && !at.split("/").some((segment) => segment === "." || segment === "..");
}

/** The prefix of the helpers: `as`, then `at`, then the class. */
export function helperOf(constant: string, { as, at }: WizardMountOptions): string {
  const path = at
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "")
    .toLowerCase();
  return as ?? (/^[a-z]/.test(path) ? path : shortNameOf(constant));
}

/** Whether a wizard's mount is public. @throws FW_WIZARD_PUBLIC, FW_WIZARD_ANCHOR */
export function isPublic(wizard: WizardClass, { public: said }: WizardMountOptions): boolean {
  const { anonymous, anchored } = wizard.facts;
  const where = "registerWizard";
  if (anchored?.with) {
    const names = anchored.with.map(({ name }) => name).join(" or ");
    const fix = `Mount it on the definition of ${names}: this.wizard("…", ${wizard.name}).`;
    throw errors.FW_WIZARD_ANCHOR(where, wizard.name, `with ${names}`, fix);
  }
  if (said === true && !anonymous)
    throw errors.FW_WIZARD_PUBLIC(
      where,
      wizard.name,
      "public: true, and its runs belong to people. Say anonymous: true in Wizard(flow, { … }), or drop public",
    );
  if (said === false && anonymous)
    throw errors.FW_WIZARD_PUBLIC(
      where,
      wizard.name,
      "public: false, and the wizard is anonymous. Drop public, or drop anonymous",
    );
  return anonymous;
}

/** A layout of the application, of the portal or of the framework. @throws FW_WIZARD_LAYOUT */
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
