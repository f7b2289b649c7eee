import type { RouteInfo } from "framewright/host";
import type { ModelInfo } from "framewright/plugins/database";
import type { ScopeRule } from "framewright/plugins/scoping";
import { type Body, bodiesOf, jsonBody } from "./bodies.ts";
import type { RecordIds } from "./foreign_ids.ts";
import { fieldsOfForm, filledForm } from "./forms.ts";
import { keptFileOf } from "./kept_files.ts";
import type { Person } from "./people.ts";
import type { AuditWorld } from "./portal_audit.ts";
import type { AuditAttempt } from "./report.ts";
import { idOf, tenantSegment } from "./sample_values.ts";
import { isOfSelected } from "./served_names.ts";
import type { RouteTargets, Target } from "./targets.ts";
import type { Sent } from "./visitor.ts";

type Side = "a" | "b";
/** What is asked of a route with a path and a person. */
export interface Asked {
  readonly route: RouteInfo;
  readonly targets: RouteTargets;
  readonly kind: AuditAttempt;
  readonly target: Target;
  readonly person: Person;
}
/** The actions of a resource that the framework draws: they read what their form declares, and nothing else. */
const isStandard = ({ to, resource }: RouteInfo): boolean =>
  resource !== undefined && /#(index|show|new|create|edit|update|destroy|typeahead)$/.test(to);

/** The requests of a path: its formats, searches, and bodies with own and with foreign values. */
export class RouteRequests {
  readonly #world: AuditWorld;
  readonly #rule: ScopeRule;
  readonly #side: Side;
  readonly #theirs: Side;
  readonly #ids: RecordIds;
  #count = 0;

  constructor(world: AuditWorld, rule: ScopeRule, side: Side) {
    this.#world = world;
    this.#rule = rule;
    this.#side = side;
    this.#theirs = side === "a" ? "b" : "a";
    this.#ids = world.ids;
  }

  async of(asked: Asked): Promise<Sent[]> {
    if (asked.route.verb === "GET") return this.#reads(asked);
    const bodies = await this.#bodies(asked);
    return bodies.map(({ type, text }) => ({
      ...{ method: asked.route.verb, url: asked.target.path, type, body: text },
      accept: type.includes("json") ? "application/json" : "text/html",
    }));
  }

  /** As a page and as JSON, and with own records also with the other tenant, and with records of it, in the query. */
  async #reads({ route, targets, kind, target: { path } }: Asked): Promise<Sent[]> {
    const { records } = this.#world;
    const page = { method: "GET", url: path };
    const json = { method: "GET", url: `${path}.json`, accept: "application/json" };
    if (kind === "other tenant" && this.#side === "b") return [page]; // the second direction is a cheaper one
    if (kind !== "own records") return [page, json];
    if (targets.registration && isOfSelected(route)) {
      const chosen = await this.#selections(targets.registration.model, true);
      return chosen.map(({ id }) => ({ ...page, url: `${path}?ids[]=${id}` }));
    }
    const tenant = `${this.#rule.parameter ?? "tenant_id"}=${tenantSegment(this.#rule, records.tenant(this.#theirs))}`;
    const search = `per_page=100&q=${records.marks[this.#theirs].slice(0, 8)}`; // a part of the mark: pages repeat what was searched
    const more = [
      { ...json, url: `${json.url}?${search}&${tenant}` },
      { ...page, url: `${path}?${tenant}` },
    ];
    more.push(...this.#includes(route, targets).map((query) => ({ ...json, url: `${json.url}?${query}` })));
    const queries = await this.#foreignQueries(route, targets);
    return [page, json, ...more, ...queries.map((query) => ({ ...page, url: `${path}?${query}` }))];
  }

  /** What programs include with records, where they can: an association each, since one that is refused refuses all. */
  #includes(route: RouteInfo, { registration }: RouteTargets): string[] {
    const isShown = registration && /#(index|show)$/.test(route.to);
    if (!isShown || !this.#world.application.kernel.has("json_api")) return [];
    return [...registration.model.associations.keys()].map((name) => `include=${name}&per_page=100`);
  }

  /** Queries with ids of the other tenant's records: by every name for a custom route, by each filter for a list, as values of a form. */
  async #foreignQueries(route: RouteInfo, { registration }: RouteTargets): Promise<string[]> {
    const { records } = this.#world;
    const queries: string[] = [];
    if (!isStandard(route))
      queries.push(new URLSearchParams(await this.#ids.byName(this.#theirs, registration?.model)).toString());
    if (!registration) return queries;
    if (route.to.endsWith("#index"))
      for (const name of registration.definition.filters.keys()) {
        const value = (await this.#ids.named(name, this.#theirs)) ?? records.marks[this.#theirs].slice(0, 8);
        queries.push(new URLSearchParams({ [`filter[${name}]`]: value }).toString());
      }
    if (/#(new|edit)$/.test(route.to)) {
      const values: Record<string, string> = {};
      for (const { kind, name, key } of registration.model.associations.values()) {
        const id = kind === "belongsTo" ? await this.#ids.named(name, this.#theirs) : undefined;
        for (const one of id === undefined ? [] : [name, key.column ?? name])
          Object.assign(values, { [`${registration.key}[${one}]`]: id, [one]: id });
      }
      if (Object.keys(values).length > 0) queries.push(new URLSearchParams(values).toString());
    }
    return queries;
  }

  async #bodies({ route, targets, kind, target: { path }, person }: Asked): Promise<Body[]> {
    const { registration } = targets;
    const all = await bodiesOf(route, registration, this.#world.records, ++this.#count, this.#side);
    const isOwn = kind === "own records" && person.member === this.#side;
    if (registration?.definition.reorderedBy !== undefined && /\/:id\/order$/.test(route.path))
      return this.#moves(registration.model, isOwn);
    if (registration && isOfSelected(route)) {
      const chosen = await this.#selections(registration.model, isOwn);
      return chosen.map(({ id, foreign }) => jsonBody({ ids: [id] }, foreign));
    }
    if (/:(action_key|cell_name)\b/.test(route.path)) {
      const ownPath = kind === "own records" ? path : (await targets.fill(this.#side, "own")).targets[0]?.path;
      const forms = ownPath === undefined ? [] : await this.#actionForms(ownPath, person, isOwn);
      return [...forms, ...all.slice(0, 1)];
    }
    if (!isOwn) return all.slice(0, 1);
    const values = await this.#ids.byName(this.#theirs, registration?.model);
    const ids = { ids: await this.#ids.all(this.#theirs) };
    if (!isStandard(route)) return [...all, jsonBody({ ...values, ...ids }, "ids of the other tenant")];
    const mayKeep = route.to.endsWith("#create");
    return [...all, ...(mayKeep ? await keptFileOf(this.#world, registration, this.#theirs, route) : [])];
  }

  /** Rows that are selected: the own record, and for people of the tenant that of the other. */
  async #selections(model: ModelInfo, isOwn: boolean): Promise<{ id: number | string; foreign: string | undefined }[]> {
    const of = async (side: Side, foreign?: string) => {
      const record = await this.#world.records.get(model, side);
      return record ? [{ id: idOf(record), foreign }] : [];
    };
    return [...(await of(this.#side)), ...(isOwn ? await of(this.#theirs, "ids") : [])];
  }

  /** A move in an order, and with own records also one next to a record of the other tenant. */
  async #moves(model: ModelInfo, isOwn: boolean): Promise<Body[]> {
    const theirs = isOwn ? await this.#world.records.get(model, this.#theirs) : undefined;
    const beside = theirs ? [jsonBody({ before: idOf(theirs) }, "before")] : [];
    return [jsonBody({ move: "up" }), ...beside];
  }

  /** The form of an action: with own values, and with each field that may name a record naming one of the other tenant. */
  async #actionForms(path: string, person: Person, isOwn: boolean): Promise<Body[]> {
    const { records, recorder } = this.#world;
    const headers = this.#rule.parameter === undefined ? { [recorder.tenantHeader]: this.#side } : {};
    const { text } = await person.visitor.send({ method: "GET", url: path }, headers);
    const fields = fieldsOfForm(text, path);
    if (!fields) return [];
    const mark = records.marks[this.#side];
    const ids = await idsOfFields(this.#ids, fields, this.#side);
    const bodies = [filledForm(text, path, { mark, ids })!];
    for (const [name, field] of isOwn ? Object.entries(fields) : [])
      for (const id of await this.#ids.forField(name, field, this.#theirs))
        bodies.push({ ...filledForm(text, path, { mark, ids, more: { [name]: id } })!, foreign: name });
    return bodies;
  }
}

/** The tenant's own ids for the fields of a form that name records. */
export async function idsOfFields(
  ids: RecordIds,
  fields: Readonly<Record<string, unknown>>,
  side: Side,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of Object.keys(fields)) {
    const id = await ids.named(name, side);
    if (id !== undefined) found[name] = id;
  }
  return found;
}
