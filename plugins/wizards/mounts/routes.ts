import type { Action, Application, RouteSet, Verb } from "framewright/host";
import type { Views } from "framewright/plugins/views";
import type { WizardClass } from "../contract/index.ts";
import { errors } from "../errors.ts";
import { openRouteRequest } from "../pages/open_request.ts";
import { controllerFor } from "./controllers.ts";
import { drawWizard } from "./draw_mounts.ts";
import type { DrawnMount, Mounts } from "./mount.ts";
import { checkLayout, checkMountOptions, helperOf, isPublic, type WizardMountOptions } from "./options.ts";
import { checkWizard, constantOf } from "./wizard_class.ts";

declare module "framewright/host" {
  interface RouteMacros {
    /** Mounts a wizard at its own path; an anonymous one on the main application, for guests. */
    registerWizard(wizard: WizardClass, options: WizardMountOptions): void;
  }
}

const hasStepAt = ({ wizard, at: base }: Pick<DrawnMount, "wizard" | "at">, at: string): boolean =>
  wizard.flow.steps.some(({ key }) => at === `${base}/${key}`.replace(/^\//, ""));

/** Implements `registerWizard`: draws wizards on portals and the main application. */
export class WizardDrawer {
  readonly #host: Application;
  readonly #views: Views;
  readonly #mounts: Mounts;
  readonly #defaultLayout: (owner: string | undefined) => string | undefined;

  constructor(
    host: Application,
    views: Views,
    mounts: Mounts,
    defaultLayout: (owner: string | undefined) => string | undefined,
  ) {
    this.#host = host;
    this.#views = views;
    this.#mounts = mounts;
    this.#defaultLayout = defaultLayout;
  }

  /** @throws FW_WIZARD_CLASS, FW_WIZARD_MOUNT, FW_WIZARD_AT, FW_WIZARD_ANCHOR, FW_WIZARD_PUBLIC, FW_WIZARD_NAME, FW_WIZARD_PLACE, FW_WIZARD_LAYOUT, FW_WIZARD_CONTROLLER, FW_WIZARD_VIA */
  register(set: RouteSet, given: WizardClass, options: WizardMountOptions): void {
    const wizard = checkWizard(given, "registerWizard");
    checkMountOptions(wizard, options);
    const isOpen = isPublic(wizard, options);
    const target = isOpen ? this.#host.routeSets.get(undefined)! : set;
    const name = constantOf(this.#host, wizard);
    const helper = helperOf(name, options);
    if (isOpen && this.#isDrawn(name, helper, options)) return;
    if (options.layout !== undefined) checkLayout(this.#host, this.#views, wizard, target.owner, options.layout);
    const mount: DrawnMount = {
      wizard,
      name,
      kind: "route",
      owner: target.owner,
      key: undefined,
      at: options.at.replace(/^\//, ""),
      public: isOpen,
      layout: options.layout,
      helper,
      onMain: target.owner === undefined,
      portal: set.owner,
      resource: undefined,
      onRecord: false,
      policy: undefined,
      hasOwnLayout: options.layout !== undefined,
      controller: controllerFor(this.#host, wizard, target.owner, isOpen),
    };
    this.#checkPlace(mount);
    this.#mounts.add(mount);
    try {
      this.#draw(target, mount);
    } catch (error) {
      if ((error as { code?: string }).code !== "FW_ROUTE_TAKEN") throw error;
      throw errors.FW_WIZARD_PLACE(wizard.name, mount.at, (error as Error).message.replace(/^FW_ROUTE_TAKEN: /, ""));
    }
  }

  /** Refuses two wizards at one path, or one at the path of another's step: one of them could never be reached. @throws FW_WIZARD_PLACE */
  #checkPlace({ wizard, at, owner }: DrawnMount): void {
    for (const other of this.#mounts.all) {
      if (other.kind !== "route" || other.owner !== owner) continue;
      const refuse = (what: string) =>
        errors.FW_WIZARD_PLACE(wizard.name, at, `${other.wizard.name} ${what}. Give one of them another at:`);
      if (other.at === at) throw refuse("is mounted there already");
      if (hasStepAt(other, at)) throw refuse(`at "${other.at}" has a step there`);
      if (hasStepAt({ wizard, at }, other.at)) throw refuse(`is at "${other.at}", the path of a step of this one`);
    }
  }

  /** Whether a public wizard is drawn already, by a portal whose routes were loaded again. @throws FW_WIZARD_NAME */
  #isDrawn(name: string, helper: string, { at }: WizardMountOptions): boolean {
    const taken = this.#mounts.all.find((mount) => mount.public && mount.helper === helper);
    if (!taken) return false;
    if (taken.name === name && taken.at === at.replace(/^\//, "")) return true;
    throw errors.FW_WIZARD_NAME(helper, `${taken.name} at ${taken.at}`, `${name} at ${at}`);
  }

  #draw(set: RouteSet, mount: DrawnMount): void {
    const { controller, wizard, helper, onMain } = mount;
    const policy = "authorize" in wizard.prototype ? `${mount.name}#authorize` : "(everybody)";
    const standard = mount.public ? "basic" : (this.#defaultLayout(set.owner) ?? (onMain ? "basic" : "resource"));
    const layout = mount.layout ?? standard;
    const names: Record<string, string> = { "": `${helper}_wizard_launch`, "/:token/:step": `${helper}_wizard` };
    const draw = (verb: Verb, path: string, action: Action) => {
      const as = verb === "GET" ? names[path.slice(mount.at.length)] : undefined;
      return set.draw(verb, path, {
        controller: controller!,
        action,
        policy,
        layout,
        ...(as === undefined ? {} : { as }),
      });
    };
    const routes = drawWizard(this.#mounts, draw, { base: mount.at, wizard }, (serving) =>
      openRouteRequest(mount, serving),
    );
    this.#host.paths.addShorter(routes.withToken, routes.withoutToken);
  }
}
