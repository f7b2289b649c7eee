import type { Application, RouteInfo } from "framewright/host";
import type { Dashboard } from "framewright/plugins/dashboards";
import type { Registration } from "framewright/plugins/resources";
import type { ScopeRule } from "framewright/plugins/scoping";
import type { Wizards } from "framewright/plugins/wizards";
import { fileFieldsOf } from "./attached_files.ts";

type DrawnMount = Wizards["mounts"]["all"][number];

/** The path of a wizard's launch, of any of its routes. */
export const runsBelow = (path: string): string =>
  path.replace(/\/(runs|runs\/:run|completed|:token\/completed|:token\/:step|:step)$/, "");
const isOnRecord = (path: string): boolean => /:id\/wizards\//.test(path);

/** Whether a route acts on selected rows of a list. */
export const isOfSelected = ({ path }: RouteInfo): boolean => path.endsWith("/bulk/:action_key");

/** What a route serves by a parameter that names no record: actions, cells, cards, wizards and their steps, associations. */
export class ServedNames {
  readonly #application: Application;
  readonly #rule: ScopeRule;
  readonly #route: RouteInfo;
  readonly #registration: Registration | undefined;

  constructor(application: Application, rule: ScopeRule, route: RouteInfo, registration: Registration | undefined) {
    this.#application = application;
    this.#rule = rule;
    this.#route = route;
    this.#registration = registration;
  }

  /** The values of a parameter; undefined for one that these are not about. */
  named(name: string): string[] | undefined {
    if (name === "action_key") return this.#actions();
    if (name === "cell_name") return this.#editedCells();
    if (name === "file_field") return fileFieldsOf(this.#registration);
    if (name === "file_size") return ["large", "small"];
    if (name === "print_key") return this.#printPages();
    if (name === "card") return this.#cards();
    if (name === "wizard_name") return this.#wizards().flatMap(({ key }) => key ?? []);
    if (name === "step")
      return [...new Set(this.#wizards().flatMap(({ wizard }) => wizard.flow.steps.map(({ key }) => key)))];
    const { model } = this.#registration ?? {};
    if (name !== "association" || !model) return undefined;
    return [...model.associations.values()].filter(({ kind }) => kind === "belongsTo").map((one) => one.name);
  }

  /** The wizards that the route may serve. */
  #wizards(): DrawnMount[] {
    const { kernel } = this.#application;
    if (!kernel.has("wizards")) return [];
    const below = runsBelow(this.#route.path);
    const { engine, resource } = this.#route;
    return kernel
      .service("wizards")
      .mounts.all.filter(
        (mount) =>
          mount.owner === engine &&
          (mount.kind === "resource"
            ? mount.resource === resource && below.includes("/:wizard_name") && isOnRecord(below) === mount.onRecord
            : below.endsWith(`/${mount.at}`)),
      );
  }

  #actions(): string[] {
    const isBulk = isOfSelected(this.#route);
    const isCollection = !this.#route.path.includes("/:id/") && !this.#registration?.singular;
    const all = [...(this.#registration?.definition.actions.values() ?? [])];
    const isServed = ({ interaction, resourceAction, bulk }: (typeof all)[number]) =>
      isBulk ? bulk === true : interaction && (resourceAction === true) === isCollection;
    return all.filter(isServed).map(({ key }) => key);
  }

  #printPages(): string[] {
    const actions = [...(this.#registration?.definition.actions.values() ?? [])];
    return actions.flatMap(({ path }) => (path?.startsWith("print/") ? path.slice("print/".length) : []));
  }
  /** The columns whose cells are edited in the list. */
  #editedCells(): string[] {
    const columns = [...(this.#registration?.definition.columns ?? [])];
    return columns.filter(([, { edit }]) => edit).map(([name]) => name);
  }

  #cards(): string[] {
    return [...(this.#dashboard?.cards.keys() ?? [])];
  }
  /** The periods of the dashboard whose card it is. */
  get periods(): readonly string[] {
    return this.#dashboard?.periods ?? [];
  }
  get #dashboard(): Dashboard | undefined {
    const { kernel } = this.#application;
    if (!kernel.has("dashboards")) return undefined;
    const key = /dashboards\/(\w+)\/cards/.exec(this.#route.path)?.[1];
    const mount = kernel
      .service("dashboards")
      .of(this.#rule.engine.name)
      .find((one) => one.key === key);
    if (!mount) return undefined;
    const dashboard = new mount.dashboard({ portal: mount.portal, kernel, controller: undefined });
    dashboard.configure();
    return dashboard;
  }
}
