import { type Application, demodulize, type RouteInfo, underscore } from "framewright/host";
import type { ModelInfo } from "framewright/plugins/database";
import type { Registration } from "framewright/plugins/resources";
import type { ScopeRule } from "framewright/plugins/scoping";
import type { Wizards } from "framewright/plugins/wizards";
import type { MarkedRecords } from "./records.ts";
import { idOf } from "./sample_values.ts";

/** A path with its parameters filled in, and which records it names. */
export interface Target {
  readonly path: string;
  /** The records of B that it names; empty for one that names none. */
  readonly foreign: readonly string[];
}
type Whose = "a" | "b";
/** The values of a parameter in the own tenant, and those that name records of the other. */
interface Choice {
  readonly own: string[];
  readonly given: string[];
  readonly isRecord: boolean;
}
type DrawnMount = Wizards["mounts"]["all"][number];

/** The path of a wizard's launch, of any of its routes. */
export const runsBelow = (path: string): string =>
  path.replace(/\/(runs|completed|:token\/completed|:token\/:step|:step)$/, "");
const isOnRecord = (path: string): boolean => /:id\/wizards\//.test(path);

/** What is known of a route: its resource, and the values that its parameters take. */
export class RouteTargets {
  readonly route: RouteInfo;
  readonly registration: Registration | undefined;
  readonly #application: Application;
  readonly #rule: ScopeRule;
  readonly #records: MarkedRecords;
  readonly #parent: Registration | undefined;
  /** The tokens of runs, by tenant and launch. */
  readonly #tokens: ReadonlyMap<string, string>;

  constructor(
    {
      application,
      rule,
      records,
      tokens,
    }: { application: Application; rule: ScopeRule; records: MarkedRecords; tokens: ReadonlyMap<string, string> },
    route: RouteInfo,
  ) {
    this.#tokens = tokens;
    this.route = route;
    this.#application = application;
    this.#rule = rule;
    this.#records = records;
    const owned = application.kernel.has("resources")
      ? application.kernel.service("resources").registry.of(route.engine)
      : undefined;
    this.registration = route.resource === undefined ? undefined : owned?.get(route.resource);
    this.#parent = route.association === undefined ? undefined : owned?.get(route.association.split("#")[0]!);
  }

  /** The path in two: up to the tenant's parameter, and what follows, where its name may stand again. */
  get #parts(): [head: string, rest: string] {
    const { path } = this.route;
    const { parameter } = this.#rule;
    const end = parameter === undefined ? -1 : path.indexOf(`/:${parameter}`);
    const at = end < 0 ? 0 : end + `/:${parameter}`.length;
    return [path.slice(0, at), path.slice(at)];
  }

  /** The parameters that name records, without the tenant's. */
  get #parameters(): string[] {
    return [...this.#parts[1].matchAll(/:(\w+)/g)].map(([, name]) => name!);
  }

  /** Every path of the route in a tenant, with records of that tenant, or of the other in one place or in all. */
  async fill(tenant: Whose, records: "own" | "other"): Promise<{ targets: Target[]; missing: string | undefined }> {
    const names = this.#parameters;
    const theirs: Whose = records === "own" ? tenant : tenant === "a" ? "b" : "a";
    const values = new Map<string, Choice>();
    for (const name of names) {
      const model = this.#modelOf(name);
      const found = model ? await this.#ids(model, tenant, theirs) : undefined;
      if (model && !found)
        return { targets: [], missing: `no ${model.constant} could be made: ${this.#records.reasonOf(model)}` };
      const choice = found ?? this.#choices(name, tenant, theirs);
      values.set(name, choice);
    }
    const places = names.filter((name) => values.get(name)!.isRecord);
    const mixtures = records === "own" ? [[]] : [places, ...(places.length > 1 ? places.map((one) => [one]) : [])];
    const targets = mixtures.flatMap((foreign) => this.#paths(tenant, values, foreign));
    return {
      targets: records === "own" ? targets : targets.filter(({ foreign }) => foreign.length > 0),
      missing: undefined,
    };
  }

  async #ids(model: ModelInfo, tenant: Whose, theirs: Whose): Promise<Choice | undefined> {
    const [own, given] = [await this.#records.get(model, tenant), await this.#records.get(model, theirs)];
    if (!own || !given) return undefined;
    return {
      own: [String(idOf(own))],
      given: [String(idOf(given))],
      isRecord: idOf(own) !== idOf(given) || tenant === theirs,
    };
  }

  #paths(tenant: Whose, values: ReadonlyMap<string, Choice>, foreign: readonly string[]): Target[] {
    const [head, rest] = this.#parts;
    const { parameter } = this.#rule;
    let paths = [rest];
    for (const [name, { own, given }] of values) {
      const used = foreign.includes(name) ? given : own;
      paths = paths.flatMap((path) =>
        used.map((value) => path.replace(new RegExp(`:${name}\\b`), encodeURIComponent(value))),
      );
    }
    const start = head.replace(`:${parameter}`, String(idOf(this.#records.tenant(tenant))));
    return paths.map((path) => ({ path: start + path, foreign: foreign.map((name) => `${name} of the other tenant`) }));
  }

  /** The model whose record a parameter names. */
  #modelOf(name: string): ModelInfo | undefined {
    if (this.#parent && name === this.#parent.parentParameter) return this.#parent.model;
    if (name === "id" && this.registration) return this.registration.model;
    const wanted = name === "id" ? undefined : name.replace(/_id$/, "");
    if (wanted === undefined || wanted === name) return undefined;
    return this.#records.database.models().find(({ constant }) => underscore(demodulize(constant)) === wanted);
  }

  /** The values of a parameter that names no record. */
  #choices(name: string, tenant: Whose, theirs: Whose): Choice {
    const { marks } = this.#records;
    if (name === "token") {
      const token = (whose: Whose) => [this.#tokens.get(`${whose} ${runsBelow(this.route.path)}`) ?? "absent"];
      return { own: token(tenant), given: token(theirs), isRecord: true };
    }
    const fixed = this.#fixed(name);
    if (fixed) {
      const values = fixed.length > 0 ? fixed : ["absent"]; // the route is there, and has nothing to serve
      return { own: values, given: values, isRecord: false };
    }
    return { own: [marks[tenant]], given: [marks[theirs]], isRecord: true }; // a name or a slug, say
  }

  #fixed(name: string): string[] | undefined {
    if (name === "action_key") return this.#actions();
    if (name === "card") return this.#cards();
    if (name === "wizard_name") return this.#wizards().flatMap(({ key }) => key ?? []);
    if (name === "step")
      return [...new Set(this.#wizards().flatMap(({ wizard }) => wizard.flow.steps.map(({ key }) => key)))];
    const { model } = this.registration ?? {};
    if (name !== "association" || !model) return undefined;
    return [...model.associations.values()].filter(({ kind }) => kind === "belongsTo").map((one) => one.name);
  }

  /** The wizards that the route may serve. */
  #wizards(): DrawnMount[] {
    const { kernel } = this.#application;
    if (!kernel.has("wizards")) return [];
    const below = runsBelow(this.route.path);
    const { engine, resource } = this.route;
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
    const isCollection = !this.route.path.includes("/:id/") && !this.registration?.singular;
    const all = [...(this.registration?.definition.actions.values() ?? [])];
    return all
      .filter(({ interaction, resourceAction }) => interaction && (resourceAction === true) === isCollection)
      .map(({ key }) => key);
  }

  #cards(): string[] {
    const { kernel } = this.#application;
    if (!kernel.has("dashboards")) return [];
    const key = /dashboards\/(\w+)\/cards/.exec(this.route.path)?.[1];
    const mount = kernel
      .service("dashboards")
      .of(this.#rule.engine.name)
      .find((one) => one.key === key);
    if (!mount) return [];
    const dashboard = new mount.dashboard({ portal: mount.portal, kernel, controller: undefined });
    dashboard.configure();
    return [...dashboard.cards.keys()];
  }
}
