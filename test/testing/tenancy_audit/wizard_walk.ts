import type { RouteInfo } from "framewright/host";
import type { ScopeRule } from "framewright/plugins/scoping";
import type {} from "framewright/plugins/wizards";
import type { FormField } from "../client.ts";
import type { Attempts } from "./attempts.ts";
import { fieldsOfForm, filledForm } from "./forms.ts";
import type { Person } from "./people.ts";
import { type AuditWorld, nameOf } from "./portal_audit.ts";
import type { AuditAttempt, AuditRow, Uncovered } from "./report.ts";
import { idsOfFields } from "./requests.ts";
import { runsBelow } from "./served_names.ts";
import { RouteTargets } from "./targets.ts";
import type { Sent } from "./visitor.ts";

const MAX_STEPS = 20;
type Side = "a" | "b";
/** A portal, and whose members act in it. */
export interface PortalParts {
  readonly world: AuditWorld;
  readonly rule: ScopeRule;
  readonly side: Side;
}

/** Goes through the wizards of a portal from their launch to their end, as people of one tenant. */
export class WizardWalk {
  readonly #world: AuditWorld;
  readonly #rule: ScopeRule;
  readonly #side: Side;
  /** What the steps of the other tenant's runs have hidden for files that were sent. */
  readonly #references: Record<string, string> = {};
  readonly #routes: readonly RouteInfo[];
  readonly #attempts: Attempts;
  readonly #tokens: Map<string, string>;
  readonly #rows: AuditRow[];

  constructor(
    { world, rule, side }: PortalParts,
    routes: readonly RouteInfo[],
    attempts: Attempts,
    tokens: Map<string, string>,
    rows: AuditRow[],
  ) {
    this.#world = world;
    this.#rule = rule;
    this.#side = side;
    this.#routes = routes;
    this.#attempts = attempts;
    this.#tokens = tokens;
    this.#rows = rows;
  }

  get #launches(): RouteInfo[] {
    return this.#routes.filter(({ to }) => to.endsWith("#launchWizard"));
  }

  /** Launches each wizard as a member of the other tenant, who answers its first step; and as one of the own, for the tokens. */
  async start(): Promise<void> {
    for (const route of this.#launches)
      for (const side of ["b", "a"] as const) {
        const { all } = await this.#world.people.of(route.account);
        const person = all.find(({ member }) => member === side);
        if (person) for (const path of await this.#paths(route, side)) await this.#begin(route, side, person, path);
      }
  }

  async #begin(route: RouteInfo, side: Side, person: Person, path: string): Promise<void> {
    const headers = { [this.#world.recorder.tenantHeader]: side };
    const { location } = await person.visitor.send({ method: "GET", url: path }, headers);
    if (location === undefined) return;
    const { text } = await person.visitor.send({ method: "GET", url: location }, headers);
    const found = this.#routeOf("GET", location);
    if (found?.values.token !== undefined) this.#tokens.set(`${side} ${runsBelow(route.path)}`, found.values.token);
    const id = /name="wizard\[_run\]" value="(\d+)"/.exec(text)?.[1];
    if (id !== undefined) this.#tokens.set(`run ${side} ${runsBelow(route.path)}`, id);
    const form =
      side === this.#side ? undefined : filledForm(text, location, { mark: this.#world.records.marks[side] });
    if (!form) return;
    await person.visitor.send({ method: "PUT", url: location, type: form.type, body: form.text }, headers);
    const drafted = await person.visitor.send({ method: "GET", url: location }, headers);
    for (const [name, { value }] of Object.entries(fieldsOfForm(drafted.text, location) ?? {}))
      if (/\b_file_\w+/.test(name) && value !== "") this.#references[name] = value;
  }

  /** Walks as each member: with own values, and again with fields that name records of the other tenant. */
  async run(): Promise<void> {
    for (const route of this.#launches) {
      const { all } = await this.#world.people.of(route.account);
      for (const person of all.filter(({ member }) => member === this.#side))
        for (const path of await this.#paths(route, this.#side))
          for (const kind of ["own records", "other records"] as const) await this.#walk(person, path, kind);
    }
  }

  /** The steps that no member came to. */
  unreached(): Uncovered[] {
    const urls = this.#rows.filter(({ status }) => status === 200).map(({ url }) => url);
    const { kernel } = this.#world.application;
    if (this.#launches.length === 0) return [];
    const mounts = kernel
      .service("wizards")
      .mounts.all.filter(({ owner, onMain }) => owner === this.#rule.engine.name && !onMain);
    return mounts.flatMap(({ wizard, name }) =>
      wizard.flow.steps
        .filter(({ key }) => !urls.some((url) => url.startsWith("GET ") && url.endsWith(`/${key}`)))
        .map(({ key }) => ({
          what: `the step "${key}" of ${name}`,
          reason: "no member came to it with the values that were tried",
        })),
    );
  }

  async #paths(route: RouteInfo, side: Side): Promise<string[]> {
    const targets = new RouteTargets({ ...this.#world, rule: this.#rule, tokens: this.#tokens }, route);
    return (await targets.fill(side, "own")).targets.map(({ path }) => path);
  }

  async #walk(person: Person, launch: string, kind: AuditAttempt): Promise<void> {
    let next: string | undefined = (await this.#send(person, kind, { method: "GET", url: launch })).location;
    if (kind === "own records") await this.#send(person, kind, { method: "GET", url: `${launch}/runs` });
    const seen = new Set<string>();
    for (let count = 0; next?.startsWith("/") && !seen.has(next) && count < MAX_STEPS; count++) {
      seen.add(next);
      const page = await this.#send(person, kind, { method: "GET", url: next });
      await this.#send(person, kind, { method: "GET", url: `${next}.json`, accept: "application/json" });
      next = await this.#answer(person, kind, next, page.text);
    }
  }

  /** Answers a step, with each value of the other tenant first; where that leads, undefined for a page without a form. */
  async #answer(person: Person, kind: AuditAttempt, url: string, html: string): Promise<string | undefined> {
    const fields = fieldsOfForm(html, url);
    if (!fields) return undefined;
    const mark = this.#world.records.marks[this.#side];
    const ids = await idsOfFields(this.#world.ids, fields, this.#side);
    for (const more of kind === "own records" ? [] : await this.#foreignOf(fields)) {
      const form = filledForm(html, url, { mark, ids, more })!;
      await this.#send(person, kind, { method: "PUT", url, type: form.type, body: form.text });
      const { location } = await this.#send(person, kind, { method: "POST", url, type: form.type, body: form.text });
      if (location !== undefined && location !== url) return location; // it was taken: the end shows what comes of it
    }
    const form = filledForm(html, url, { mark, ids })!;
    if (kind === "own records")
      await this.#send(person, kind, { method: "PUT", url, type: form.type, body: form.text });
    return (await this.#send(person, kind, { method: "POST", url, type: form.type, body: form.text })).location;
  }

  /** Values that lead to the other tenant: all fields that may name a record at once, then its file references. */
  async #foreignOf(fields: Readonly<Record<string, FormField>>): Promise<Record<string, string>[]> {
    const theirs = this.#side === "a" ? "b" : "a";
    const values: Record<string, string> = {};
    for (const [name, field] of Object.entries(fields)) {
      const [id] = await this.#world.ids.forField(name, field, theirs);
      if (id !== undefined) values[name] = id;
    }
    const files = Object.entries(this.#references).filter(([name]) => name.replace("_file_", "") in fields);
    const more = [values, Object.fromEntries(files)];
    return more.filter((one) => Object.keys(one).length > 0);
  }

  async #send(person: Person, kind: AuditAttempt, sent: Sent) {
    this.#world.signal?.throwIfAborted();
    const { answer, problem, leaks } = await this.#attempts.run({
      kind,
      person,
      side: this.#side,
      sent,
      isPublic: false,
      isChooser: false,
    });
    const found = this.#routeOf(sent.method, sent.url);
    const row = {
      portal: this.#rule.engine.name,
      as: person.label,
      attempt: kind,
      mayEnter: true,
      url: `${sent.method} ${sent.url}`,
      leaks,
    };
    if (found)
      this.#rows.push({
        ...row,
        route: nameOf(found.route),
        status: answer.status,
        ...(problem === undefined ? {} : { problem }),
      });
    return answer;
  }

  /** The wizard's route that serves a URL; literal segments win over parameters. */
  #routeOf(verb: string, url: string): { route: RouteInfo; values: Record<string, string> } | undefined {
    const path = url.replace(/[?#].*$/, "").replace(/\.json$/, "");
    const fitting = this.#routes.flatMap((route) => {
      const pattern = new RegExp(`^${route.path.replaceAll(/:\w+/g, "([^/]+)")}$`);
      const match = route.verb === verb ? pattern.exec(path) : null;
      const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
      return match ? [{ route, values: Object.fromEntries(names.map((name, at) => [name, match[at + 1]!])) }] : [];
    });
    const parameters = ({ route }: { route: RouteInfo }) => route.path.split(":").length;
    return fitting.sort((a, b) => parameters(a) - parameters(b))[0];
  }
}
