import type { Application, RouteInfo } from "framewright/host";
import type { ScopeRule } from "framewright/plugins/scoping";
import { driveTools } from "./agent_tools.ts";
import type { AttachedFiles } from "./attached_files.ts";
import { Attempts } from "./attempts.ts";
import { findSharedCards } from "./cards.ts";
import { findFigures, type Reading, rowsOfOther } from "./figures.ts";
import type { RecordIds } from "./foreign_ids.ts";
import { findHiddenFigures } from "./hidden_figures.ts";
import { HiddenRecords } from "./hidden_records.ts";
import { findOracles } from "./oracles.ts";
import type { PeopleMaker, Person } from "./people.ts";
import type { Recorder } from "./recorder.ts";
import type { MarkedRecords } from "./records.ts";
import { type AuditAttempt, type AuditRow, type Uncovered, unreached } from "./report.ts";
import { RouteRequests } from "./requests.ts";
import { tenantSegment } from "./sample_values.ts";
import type { Snapshot } from "./snapshot.ts";
import { findTaken } from "./taken_values.ts";
import { RouteTargets, type Target } from "./targets.ts";
import type { Sent } from "./visitor.ts";
import { WizardWalk } from "./wizard_walk.ts";

/** What all portals of one tenant model share. */
export interface AuditWorld {
  readonly application: Application;
  readonly recorder: Recorder;
  readonly records: MarkedRecords;
  readonly attached: AttachedFiles;
  readonly ids: RecordIds;
  readonly people: PeopleMaker;
  readonly snapshot: Snapshot;
  readonly limits: { readonly requests: number; readonly milliseconds: number };
  readonly signal: AbortSignal | undefined;
}

const isOpenTo = (account: string): boolean => account === "public" || account === "open";

type Side = "a" | "b";
const order = ["GET", "PUT", "PATCH", "POST", "DELETE"];
/** Whether a route belongs to a wizard. */
export const isWizard = ({ to }: RouteInfo): boolean =>
  /#(launchWizard|wizardRuns|cancelWizardRun|wizardCompleted|advanceWizard|saveWizard|wizardStep)$/.test(to);
export const nameOf = ({ verb, path }: Pick<RouteInfo, "verb" | "path">): string => `${verb} ${path}`;

/**
 * Drives every route of one portal as people of one tenant, and as people of none. As people of B the pages alone: the
 * second direction finds what leads to the first tenant that there is.
 */
export class PortalAudit {
  readonly rows: AuditRow[] = [];
  /** Why a route was not driven as a whole, by portal and route. */
  readonly why = new Map<string, string>();
  readonly uncovered: Uncovered[] = [];
  readonly #world: AuditWorld;
  readonly #rule: ScopeRule;
  readonly #routes: readonly RouteInfo[];
  readonly #attempts: Attempts;
  readonly #hidden: HiddenRecords;
  #isOpen = false;
  readonly #requests: RouteRequests;
  readonly #side: Side;
  readonly #theirs: Side;
  readonly #tokens = new Map<string, string>();

  constructor(world: AuditWorld, rule: ScopeRule, routes: readonly RouteInfo[], side: Side) {
    this.#world = world;
    this.#rule = rule;
    this.#side = side;
    this.#theirs = side === "a" ? "b" : "a";
    this.#requests = new RouteRequests(world, rule, side);
    this.#routes = [...routes].sort((a, b) => order.indexOf(a.verb) - order.indexOf(b.verb));
    this.#hidden = new HiddenRecords(world, rule.engine.name, side);
    this.#attempts = new Attempts(world, this.#prefixes(), side === "a" ? this.#hidden : undefined);
  }

  async run(): Promise<void> {
    const walk = new WizardWalk(this.#parts, this.#routes, this.#attempts, this.#tokens, this.rows);
    this.#isOpen = await this.#admitsGuests();
    if (this.#side === "a") await this.#hidden.make(await this.#people());
    await walk.start();
    await this.#world.snapshot.take();
    if (this.#side === "b") return this.#runReads();
    await walk.run(); // first: a page may ask for a finished wizard
    this.uncovered.push(...walk.unreached());
    for (const route of this.#routes.filter(({ verb }) => verb !== "DELETE")) await this.#audit(route);
    const tools = await driveTools(this.#parts, this.#routes, this.#attempts);
    this.rows.push(...tools.rows);
    this.uncovered.push(...tools.uncovered);
    this.rows.push(...(await findTaken(this.#parts, this.#routes)));
    await this.#findFigures();
    this.rows.push(...(await findHiddenFigures(this.#parts, this.#hidden, this.#routes, await this.#people())));
    this.rows.push(...(await findOracles(this.#parts, this.#hidden, this.#routes, await this.#people())));
    this.uncovered.push(...this.#hidden.uncovered);
    for (const route of this.#routes.filter(({ verb }) => verb === "DELETE")) await this.#audit(route);
  }

  /** Those who may enter the tenant of this side. */
  async #people(): Promise<Person[]> {
    const accounts = [...new Set(this.#routes.map(({ account }) => account))];
    const all = await Promise.all(accounts.map((account) => this.#world.people.of(account)));
    const isPublic = this.#isOpen || accounts.some(isOpenTo);
    return all
      .flatMap((people) => people.all)
      .filter(({ member, isGuest }) => member === this.#side || (isGuest && isPublic));
  }

  /** Whether the portal decides itself who may enter a tenant, and admits guests to it: its pages are public. */
  async #admitsGuests(): Promise<boolean> {
    if (!this.#world.recorder.ownEntry.has(this.#rule.engine.name)) return false;
    for (const route of this.#routes.filter(
      ({ verb, path }) => verb === "GET" && (path.match(/:/g)?.length ?? 0) === 1,
    )) {
      const guest = (await this.#world.people.of(route.account)).all.find(({ isGuest }) => isGuest);
      const [target] = (await this.#targets(route).fill(this.#side, "own")).targets;
      if (!guest || !target) continue;
      const { status } = await guest.visitor.send(
        { method: "GET", url: target.path },
        { [this.#world.recorder.tenantHeader]: this.#side },
      );
      if (status < 300) return true;
    }
    return false;
  }

  async #runReads(): Promise<void> {
    const pages = this.#routes.filter(({ verb }) => verb === "GET");
    for (const route of pages) await this.#audit(route);
    this.rows.push(...(await findSharedCards(this.#parts, pages, this.#attempts)));
  }

  get #parts() {
    return { world: this.#world, rule: this.#rule, side: this.#side };
  }

  /** The paths of each tenant; undefined where the path does not name it. */
  #prefixes(): Record<"a" | "b", string> | undefined {
    const { parameter } = this.#rule;
    const path = this.#routes.find((route) => route.path.includes(`/:${parameter}`))?.path;
    if (parameter === undefined || path === undefined) return undefined;
    const mount = path.slice(0, path.indexOf(`/:${parameter}`));
    const of = (side: "a" | "b") => `${mount}/${tenantSegment(this.#rule, this.#world.records.tenant(side))}`;
    return { a: of("a"), b: of("b") };
  }

  #skip(route: RouteInfo, reason: string): void {
    this.why.set(`${this.#rule.engine.name} ${nameOf(route)}`, reason);
  }

  async #audit(route: RouteInfo): Promise<void> {
    const { all, problem } = await this.#world.people.of(route.account);
    if (problem !== undefined) this.#skip(route, problem);
    const targets = this.#targets(route);
    const isPublic = this.#isOpen || isOpenTo(route.account);
    const [own, others, entered] = [
      await targets.fill(this.#side, "own"),
      await targets.fill(this.#side, "other"),
      await targets.fill(this.#theirs, "own"),
    ];
    const missing = own.missing ?? others.missing;
    if (missing !== undefined) this.#skip(route, missing);
    const until = performance.now() + this.#world.limits.milliseconds;
    const first = this.rows.length;
    const drive = async (kind: AuditAttempt, person: Person, list: readonly Target[]) => {
      for (const target of list)
        for (const sent of await this.#requests.of({ route, targets, kind, target, person })) {
          if (performance.now() > until || this.rows.length - first >= this.#world.limits.requests)
            return this.#skip(route, "its limit of requests or time was reached");
          await this.#send(route, kind, person, sent, target, isPublic);
        }
    };
    const isChooser = !this.#namesTenant(route);
    const isFirst = this.#side === "a"; // those without a tenant are sent once
    for (const person of all.filter(({ member }) => member === this.#side || (member === undefined && isFirst))) {
      if (!isPublic && !isChooser) await drive("other tenant", person, entered.targets);
      await drive("own records", person, own.targets);
      if (person.member === this.#side || isPublic) await drive("other records", person, others.targets);
    }
    this.uncovered.push(...unreached(route, own.targets, this.rows));
  }

  /** Reads each page of members of A again, while rows of B are added. */
  async #findFigures(): Promise<void> {
    const readings: Reading[] = [];
    for (const route of this.#routes.filter(({ verb, account }) => verb === "GET" && account !== "public")) {
      if (isWizard(route)) continue;
      const { all } = await this.#world.people.of(route.account);
      const person = all.find(({ member }) => member === "a");
      const { targets } = await this.#targets(route).fill("a", "own");
      if (person)
        for (const { path } of targets)
          readings.push({ route: nameOf(route), person, sent: { method: "GET", url: path } });
    }
    for (const { route, person, sent } of await findFigures(this.#world, readings, rowsOfOther(this.#world)))
      this.rows.push({
        ...{ portal: this.#rule.engine.name, route, as: person.label, attempt: "own records", url: `GET ${sent.url}` },
        ...{
          status: 200,
          mayEnter: true,
          leaks: true,
          problem: "the answer changes when rows of the other tenant are added",
        },
      });
  }

  #targets(route: RouteInfo): RouteTargets {
    return new RouteTargets({ ...this.#world, rule: this.#rule, tokens: this.#tokens }, route);
  }

  #namesTenant({ path }: RouteInfo): boolean {
    return this.#rule.parameter === undefined || path.includes(`:${this.#rule.parameter}`);
  }

  async #send(
    route: RouteInfo,
    kind: AuditAttempt,
    person: Person,
    sent: Sent,
    { namesRecord }: Target,
    isPublic: boolean,
  ): Promise<void> {
    this.#world.signal?.throwIfAborted();
    const base = { kind, person, side: this.#side, sent, namesForeign: namesRecord };
    const attempt = { ...base, isPublic, isChooser: !this.#namesTenant(route) };
    const { answer, problem, leaks } = await this.#attempts.run(attempt);
    const mayEnter = kind !== "other tenant" && (isPublic || person.member === this.#side);
    const row = {
      portal: this.#rule.engine.name,
      route: nameOf(route),
      as: person.label,
      attempt: kind,
      mayEnter,
      leaks,
    };
    const url = `${sent.method} ${sent.url}`;
    this.rows.push({ ...row, url, status: answer.status, ...(problem === undefined ? {} : { problem }) });
  }
}
