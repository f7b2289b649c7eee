import type { BaseController, ControllerClass, Route } from "framewright/host";
import type { FieldTypeTable } from "framewright/plugins/fields";
import type { Registration, ResourceController } from "framewright/plugins/resources";
import type { Mount, RunInfo, WizardClass } from "../contract/index.ts";
import { checkFiles } from "../flow/check_files.ts";

/** A mount with what is known once its routes are drawn. */
export interface DrawnMount extends Mount {
  /** The prefix of its path helpers; undefined for one on a resource. */
  readonly helper: string | undefined;
  /** Its routes belong to the main application, whoever registered it. */
  readonly onMain: boolean;
  /** The portal that registered it. */
  readonly portal: string | undefined;
  /** The constant of the resource that it is mounted on. */
  readonly resource: string | undefined;
  /** Launched on a record, which is its anchor. */
  readonly onRecord: boolean;
  /** The policy's action: the key, unless the option `policy` names another. */
  readonly policy: string | undefined;
  /** The mount sets its layout; otherwise the controller may. */
  readonly hasOwnLayout: boolean;
  /** The class that serves it; undefined on a resource, whose own controller does. */
  readonly controller: ControllerClass | undefined;
}

/** All mounts of an application, and their routes. */
export class Mounts {
  readonly all: DrawnMount[] = [];
  /** Of the routes of wizards: the one that a path of its own serves; undefined where the request names it, as on a resource. */
  readonly #routes = new WeakMap<Route, WizardClass | undefined>();
  /** The wizards that gate controllers. */
  readonly gates = new Set<WizardClass>();
  readonly #leads = new WeakMap<Route, readonly WizardClass[]>();
  readonly #onResource = new Map<string, DrawnMount>();
  readonly #atPaths = new Map<string | undefined, readonly DrawnMount[]>();

  add(mount: DrawnMount): DrawnMount {
    this.all.push(mount);
    this.#atPaths.clear();
    if (mount.kind === "resource") this.#onResource.set(keyOf(mount.owner, mount.resource!, mount.key!), mount);
    return mount;
  }
  /**
   * Resolves the steps of all wizards, so that wrong `using` fields and types fail at boot.
   * @throws FW_WIZARD_USING, FW_WIZARD_USING_ASSOCIATION, FW_WIZARD_USING_FILE, FW_WIZARD_FIELD_TYPE
   */
  resolveSteps(types: FieldTypeTable, registrations: readonly Registration[]): void {
    for (const { wizard } of this.all) {
      wizard.flow.bind(types);
      checkFiles(wizard, registrations);
    }
  }
  addRoute(route: Route, wizard: WizardClass | undefined): void {
    this.#routes.set(route, wizard);
  }
  /** The wizards of a resource that this route serves, to be checked against its controller. */
  setWizardsOf(route: Route, wizards: readonly WizardClass[]): void {
    this.#leads.set(route, wizards);
  }
  wizardsOf(route: Route): readonly WizardClass[] {
    return this.#leads.get(route) ?? [];
  }
  isWizardRoute(route: Route | undefined): boolean {
    return route !== undefined && this.#routes.has(route);
  }
  /** The wizard that a request leads to, whether its person may enter it or not. */
  wizardAt(controller: BaseController): WizardClass | undefined {
    const { route, routeParams } = controller.request;
    if (!this.isWizardRoute(route)) return undefined;
    const own = this.#routes.get(route!);
    if (own) return own;
    const { owner, constant } = (controller as ResourceController).registration;
    return this.onResource(owner, constant, routeParams.wizard_name ?? "")?.wizard;
  }
  onResource(owner: string | undefined, resource: string, key: string): DrawnMount | undefined {
    return this.#onResource.get(keyOf(owner, resource, key));
  }
  /** The wizards that a portal, or the main application, mounts with registerWizard. */
  routeMountsOf(owner: string | undefined): readonly DrawnMount[] {
    let found = this.#atPaths.get(owner);
    if (!found) {
      found = this.all.filter((mount) => mount.kind === "route" && mount.owner === owner);
      this.#atPaths.set(owner, found);
    }
    return found;
  }
  /** The mount and base path at which a run can be resumed in this portal; undefined where it has none. */
  async mountOfRun(
    { request }: BaseController,
    run: RunInfo,
  ): Promise<{ mount: DrawnMount; base: string } | undefined> {
    const owner = request.engine?.name;
    const own = this.all.filter((one) => one.name === run.wizard && one.owner === owner);
    const mount = own[0]?.onRecord ? nearestMount(own, lineageOf(request, run.anchorType)) : own[0];
    if (!mount) return undefined;
    const param = mount.onRecord ? await anchorParam(request, mount, run.anchorId) : run.anchorId;
    return param === undefined && mount.onRecord ? undefined : { mount, base: baseOf(mount, request, param) };
  }
  /** The mounts of a wizard that a portal can link to: its own first, then those of the main application. */
  reachableFrom(wizard: WizardClass, owner: string | undefined): DrawnMount[] {
    const own = this.all.filter((mount) => mount.wizard === wizard);
    return [...own.filter((mount) => mount.owner === owner && !mount.onMain), ...own.filter(({ onMain }) => onMain)];
  }
}

/** The base path of a mount, in the portal of a request or the main application, for the record that a path names so. */
export function baseOf(
  { at, onMain }: Pick<DrawnMount, "at" | "onMain">,
  { mountPath, settings }: BaseController["request"],
  param?: string,
): string {
  const mounted = onMain ? settings.basePath : mountPath;
  const path = at.replace(":id", () => encodeURIComponent(param ?? ""));
  return path === "" ? mounted : `${mounted}/${path}`;
}

/** The mount on the record's own model, else on the nearest one that its class extends. */
const nearestMount = (mounts: readonly DrawnMount[], lineage: readonly string[]): DrawnMount | undefined =>
  lineage.map((constant) => mounts.find(({ resource }) => resource === constant)).find((one) => one !== undefined);

/** The constants of a model and of those that its class extends. */
function lineageOf({ kernel }: BaseController["request"], constant: string | undefined): readonly string[] {
  const model = kernel
    .service("database")
    .models()
    .find((one) => one.constant === constant);
  return model?.lineage.map((one) => one.constant) ?? [];
}

/** What a path names a run's record by; undefined where the record no longer exists. */
async function anchorParam(
  { kernel }: BaseController["request"],
  { owner, resource }: DrawnMount,
  id: string | undefined,
): Promise<string | undefined> {
  const registration = kernel.service("resources").registry.of(owner).get(resource!)!;
  if (registration.paramKey === "id" || id === undefined) return id;
  const record = await kernel.service("database").readByKey(registration.model, id);
  return record && String(registration.paramOf(record));
}

const keyOf = (owner: string | undefined, resource: string, key: string) => `${owner ?? ""} ${resource} ${key}`;
