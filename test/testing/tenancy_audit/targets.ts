import { type Application, demodulize, type RouteInfo, singularize, underscore } from "framewright/host";
import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Registration } from "framewright/plugins/resources";
import type { ScopeRule } from "framewright/plugins/scoping";
import type { AttachedFiles } from "./attached_files.ts";
import type { RecordIds } from "./foreign_ids.ts";
import type { MarkedRecords } from "./records.ts";
import { idOf, tenantSegment } from "./sample_values.ts";
import { runsBelow, ServedNames } from "./served_names.ts";

/** A path with its parameters filled in, and which records it names. */
export interface Target {
  readonly path: string;
  /** The records of B that it names; empty for one that names none. */
  readonly foreign: readonly string[];
  /** Whether a record or a stored file of the other is named, not only a text. */
  readonly namesRecord: boolean;
}
type Whose = "a" | "b";
/** The values of a parameter in the own tenant, and those that name records of the other. */
interface Choice {
  readonly own: string[];
  readonly given: string[];
  readonly isRecord: boolean;
  /** Its values may be names that no record has. */
  readonly isGuess?: boolean;
}

/** What the targets of a portal's routes are made of. */
export interface TargetParts {
  readonly application: Application;
  readonly rule: ScopeRule;
  readonly records: MarkedRecords;
  readonly attached: AttachedFiles;
  readonly ids: RecordIds;
  readonly tokens: ReadonlyMap<string, string>;
}
/** The most records that are tried for an id of no known model. */
const MAX_GUESSES = 4;

/** What is known of a route: its resource, and the values that its parameters take. */
export class RouteTargets {
  readonly route: RouteInfo;
  readonly registration: Registration | undefined;
  /** What the route serves by a name of its own: actions, cards, steps. */
  readonly served: ServedNames;
  readonly #rule: ScopeRule;
  readonly #records: MarkedRecords;
  readonly #attached: AttachedFiles;
  readonly #recordIds: RecordIds;
  readonly #parent: Registration | undefined;
  /** The tokens and the ids of runs, by tenant and launch. */
  readonly #tokens: ReadonlyMap<string, string>;

  constructor({ application, rule, records, attached, ids, tokens }: TargetParts, route: RouteInfo) {
    this.#tokens = tokens;
    this.route = route;
    this.#rule = rule;
    this.#records = records;
    this.#attached = attached;
    this.#recordIds = ids;
    const owned = application.kernel.has("resources")
      ? application.kernel.service("resources").registry.of(route.engine)
      : undefined;
    this.registration = route.resource === undefined ? undefined : owned?.get(route.resource);
    this.served = new ServedNames(application, rule, route, this.registration);
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
      const found = model ? await this.#params(model, name, tenant, theirs) : undefined;
      if (model && !found)
        return { targets: [], missing: `no ${model.constant} could be made: ${this.#records.reasonOf(model)}` };
      const choice = found ?? (await this.#choices(name, tenant, theirs));
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

  async #params(model: ModelInfo, name: string, tenant: Whose, theirs: Whose): Promise<Choice | undefined> {
    const [own, given] = [await this.#records.get(model, tenant), await this.#records.get(model, theirs)];
    if (!own || !given) return undefined;
    const registration = name === "id" ? this.registration : this.#parent;
    const paramOf = (record: BaseModel) => String(registration?.paramOf(record) ?? idOf(record));
    const more = this.route.verb === "GET" ? this.#records.extras(model, tenant) : [];
    return {
      own: [own, ...more].map(paramOf),
      given: [paramOf(given)],
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
    const start = head.replace(`:${parameter}`, () => tenantSegment(this.#rule, this.#records.tenant(tenant)));
    const namesRecord = foreign.some((name) => values.get(name)!.isGuess !== true);
    return paths.map((path) => ({
      path: start + path,
      foreign: foreign.map((name) => `${name} of the other tenant`),
      namesRecord,
    }));
  }

  /** The model whose record a parameter names. */
  #modelOf(name: string): ModelInfo | undefined {
    if (this.#parent && name === this.#parent.parentParameter) return this.#parent.model;
    if (name === "id" && this.registration) return this.registration.model;
    const before = /([\w-]+)\/:id\b/.exec(this.route.path)?.[1] ?? "";
    const wanted = name === "id" ? singularize(before.replaceAll("-", "_")) : name.replace(/_id$/, "");
    if (wanted === "" || wanted === name) return undefined;
    return this.#records.database.models().find(({ constant }) => underscore(demodulize(constant)) === wanted);
  }

  /** The values of a parameter that names no record. */
  async #choices(name: string, tenant: Whose, theirs: Whose): Promise<Choice> {
    const { marks } = this.#records;
    if (name === "id") {
      const ids = async (whose: Whose) => (await this.#recordIds.all(whose)).slice(0, MAX_GUESSES);
      return { own: await ids(tenant), given: await ids(theirs), isRecord: true, isGuess: true };
    }
    if (name === "token" || name === "run") {
      const kind = name === "run" ? "run " : "";
      const token = (whose: Whose) => [this.#tokens.get(`${kind}${whose} ${runsBelow(this.route.path)}`) ?? "absent"];
      return { own: token(tenant), given: token(theirs), isRecord: true };
    }
    const model = this.registration?.model;
    if (name === "file_number" && model) {
      const numbers = (whose: Whose) => this.#attached.numbers(model, whose);
      return { own: numbers(tenant), given: numbers(theirs), isRecord: true };
    }
    const stored = this.#fileNames(name, tenant);
    if (stored) return { own: stored, given: this.#fileNames(name, theirs) ?? stored, isRecord: true };
    const fixed = this.served.named(name);
    if (fixed) {
      const values = fixed.length > 0 ? fixed : ["absent"]; // the route is there, and has nothing to serve
      return { own: values, given: values, isRecord: false };
    }
    return { own: [marks[tenant]], given: [marks[theirs]], isRecord: true, isGuess: true }; // a name or a slug, say
  }

  /** The keys of a tenant's files for a parameter that may name one; undefined for others, and where there is none. */
  #fileNames(name: string, whose: Whose): string[] | undefined {
    if (!/^(key|(file|storage|blob|attachment)(_?(key|id|name))?)$/.test(name)) return undefined;
    const keys = this.#records.files.keys(whose);
    return keys.length > 0 ? keys.slice(0, 2) : undefined;
  }
}
