import type { BaseController, ControllerClass, Route } from "framewright/host";
import type { Mount, RunInfo, WizardClass } from "../contract/index.ts";

/** A mount with what was worked out when its routes were drawn. */
export interface DrawnMount extends Mount {
  /** The prefix of its path helpers; undefined for one on a resource. */
  readonly helper: string | undefined;
  /** Its routes are on the main application's set, whoever registered it. */
  readonly onMain: boolean;
  /** The constant of the resource that it stands on. */
  readonly resource: string | undefined;
  /** Launched on a record, which is its anchor. */
  readonly onRecord: boolean;
  /** What the policy is asked: the key, unless the action says otherwise. */
  readonly policy: string | undefined;
  /** The mount itself says its layout; else the controller may. */
  readonly layoutSaid: boolean;
  /** The class that serves it; undefined for a resource, which is served by its own. */
  readonly controller: ControllerClass | undefined;
}

/** Every mount of an application, and the routes that are theirs. */
export class Mounts {
  readonly all: DrawnMount[] = [];
  readonly #routes = new WeakSet<Route>();
  readonly #leads = new WeakMap<Route, readonly WizardClass[]>();
  readonly #onResource = new Map<string, DrawnMount>();
  readonly #atPaths = new Map<string | undefined, readonly DrawnMount[]>();

  add(mount: DrawnMount): DrawnMount {
    this.all.push(mount);
    this.#atPaths.clear();
    if (mount.kind === "resource") this.#onResource.set(keyOf(mount.owner, mount.resource!, mount.key!), mount);
    return mount;
  }
  /** Refuses names that steps take from models which don't have them. @throws FW_WIZARD_USING, FW_WIZARD_USING_ASSOCIATION */
  checkSteps(): void {
    for (const { wizard } of this.all) void wizard.flow.steps; // put together, and refused, when it is asked for
  }
  drawn(route: Route): void {
    this.#routes.add(route);
  }
  /** The wizards of a resource that this route leads to, to be held against the controller that serves it. */
  leadsTo(route: Route, wizards: readonly WizardClass[]): void {
    this.#leads.set(route, wizards);
  }
  wizardsOf(route: Route): readonly WizardClass[] {
    return this.#leads.get(route) ?? [];
  }
  /** Whether a route is of some wizard: gates let those through. */
  isWizard(route: Route | undefined): boolean {
    return route !== undefined && this.#routes.has(route);
  }
  onResource(owner: string | undefined, resource: string, key: string): DrawnMount | undefined {
    return this.#onResource.get(keyOf(owner, resource, key));
  }
  /** What a portal serves at paths of its own, once everything is drawn. */
  atPathsOf(owner: string | undefined): readonly DrawnMount[] {
    let found = this.#atPaths.get(owner);
    if (!found) {
      found = this.all.filter((mount) => mount.kind === "route" && mount.owner === owner);
      this.#atPaths.set(owner, found);
    }
    return found;
  }
  /** Where a run is gone on with in this portal; undefined where it has no address. */
  baseOf({ request }: BaseController, run: RunInfo): { mount: DrawnMount; base: string } | undefined {
    const owner = request.engine?.name;
    const mount = this.all.find(
      (one) => one.name === run.wizard && one.owner === owner && (!one.onRecord || one.resource === run.anchorType),
    );
    return mount && { mount, base: baseOf(mount, mount.owner === undefined ? "" : request.mountPath, run.anchorId) };
  }
  /** Where a wizard can be reached from a portal: its own mounts first, then the public ones. */
  of(wizard: WizardClass, owner: string | undefined): DrawnMount[] {
    const own = this.all.filter((mount) => mount.wizard === wizard);
    return [...own.filter((mount) => mount.owner === owner && !mount.onMain), ...own.filter(({ onMain }) => onMain)];
  }
}

/** The base path of a mount, for the record that it is about. */
export function baseOf({ at }: Pick<DrawnMount, "at">, mounted: string, id?: string): string {
  const path = at.replace(":id", () => encodeURIComponent(id ?? ""));
  return path === "" ? mounted : `${mounted}/${path}`;
}

const keyOf = (owner: string | undefined, resource: string, key: string) => `${owner ?? ""} ${resource} ${key}`;
