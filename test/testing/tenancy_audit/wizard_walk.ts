import type { RouteInfo } from "framewright/host";
import type { ScopeRule } from "framewright/plugins/scoping";
import type {} from "framewright/plugins/wizards";
import type { Attempts } from "./attempts.ts";
import { filledForm } from "./bodies.ts";
import type { Person } from "./people.ts";
import { type AuditWorld, nameOf } from "./portal_audit.ts";
import type { AuditRow, Uncovered } from "./report.ts";
import { RouteTargets, runsBelow } from "./targets.ts";
import type { Sent } from "./visitor.ts";

const MAX_STEPS = 20;

/** Goes through the wizards of a portal from their launch to their end, as people of A. */
export class WizardWalk {
  readonly #world: AuditWorld;
  readonly #rule: ScopeRule;
  readonly #routes: readonly RouteInfo[];
  readonly #attempts: Attempts;
  readonly #tokens: Map<string, string>;
  readonly #rows: AuditRow[];

  constructor(
    world: AuditWorld,
    rule: ScopeRule,
    routes: readonly RouteInfo[],
    attempts: Attempts,
    tokens: Map<string, string>,
    rows: AuditRow[],
  ) {
    this.#world = world;
    this.#rule = rule;
    this.#routes = routes;
    this.#attempts = attempts;
    this.#tokens = tokens;
    this.#rows = rows;
  }

  get #launches(): RouteInfo[] {
    return this.#routes.filter(({ to }) => to.endsWith("#launchWizard"));
  }

  /** Launches each wizard as a member of B, who answers its first step; and as one of A, for the tokens. */
  async start(): Promise<void> {
    for (const route of this.#launches)
      for (const side of ["b", "a"] as const) {
        const { all } = await this.#world.people.of(route.account);
        const person = all.find(({ member }) => member === side);
        if (person) for (const path of await this.#paths(route, side)) await this.#begin(route, side, person, path);
      }
  }

  async #begin(route: RouteInfo, side: "a" | "b", person: Person, path: string): Promise<void> {
    const headers = { [this.#world.recorder.tenantHeader]: side };
    const { location } = await person.visitor.send({ method: "GET", url: path }, headers);
    if (location === undefined) return;
    const { text } = await person.visitor.send({ method: "GET", url: location }, headers);
    const found = this.#routeOf("GET", location);
    if (found?.values.token !== undefined) this.#tokens.set(`${side} ${runsBelow(route.path)}`, found.values.token);
    const form = side === "b" ? filledForm(text, location, this.#world.records.marks.b) : undefined;
    if (form) await person.visitor.send({ method: "PUT", url: location, type: form.type, body: form.text }, headers);
  }

  /** Walks as each member of A. */
  async run(): Promise<void> {
    for (const route of this.#launches) {
      const { all } = await this.#world.people.of(route.account);
      for (const person of all.filter(({ member }) => member === "a"))
        for (const path of await this.#paths(route, "a")) await this.#walk(person, path);
    }
  }

  /** The steps that no member of A came to. */
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

  async #paths(route: RouteInfo, side: "a" | "b"): Promise<string[]> {
    const targets = new RouteTargets({ ...this.#world, rule: this.#rule, tokens: this.#tokens }, route);
    return (await targets.fill(side, "own")).targets.map(({ path }) => path);
  }

  async #walk(person: Person, launch: string): Promise<void> {
    let next: string | undefined = (await this.#send(person, { method: "GET", url: launch })).location;
    await this.#send(person, { method: "GET", url: `${launch}/runs` });
    const seen = new Set<string>();
    for (let count = 0; next?.startsWith("/") && !seen.has(next) && count < MAX_STEPS; count++) {
      seen.add(next);
      const page = await this.#send(person, { method: "GET", url: next });
      await this.#send(person, { method: "GET", url: `${next}.json`, accept: "application/json" });
      const form = filledForm(page.text, next, this.#world.records.marks.a);
      if (!form) break;
      await this.#send(person, { method: "PUT", url: next, type: form.type, body: form.text });
      next = (await this.#send(person, { method: "POST", url: next, type: form.type, body: form.text })).location;
    }
  }

  async #send(person: Person, sent: Sent) {
    this.#world.signal?.throwIfAborted();
    const kind = "own records" as const;
    const { answer, problem, leaks } = await this.#attempts.run({
      kind,
      person,
      sent,
      isPublic: false,
      isChooser: false,
      writes: true,
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
