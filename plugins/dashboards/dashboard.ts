import { type BaseController, demodulize, humanize, type Tenant, underscore } from "framewright/host";
import type { BaseModel, ModelClass, Query } from "framewright/plugins/database";
import { Policy } from "framewright/plugins/resources";
import {
  type Card,
  type CardKind,
  type CardKinds,
  type CardOptions,
  type ChartOptions,
  type CustomOptions,
  defaultWidth,
  type LinksOptions,
  type ListOptions,
  type MetricOptions,
  type TableOptions,
} from "./cards/card.ts";
import { checkCard } from "./cards/checks.ts";
import { addResourceCards } from "./cards/resource_cards.ts";
import type { DashboardContext } from "./contract.ts";
import { errors } from "./errors.ts";

/**
 * A page of cards: `configure()` declares them, in their order, and begins with `super.configure()`. It runs for each
 * request and once at boot, so that functions of cards can use `this`, and `configure()` itself reads no request.
 */
export abstract class Dashboard {
  /** What people call it; by default its class's name, as "Sales" of SalesDashboard. */
  label: string | undefined = undefined;
  /** The periods that a person chooses from: days, weeks or months. */
  periods: readonly string[] = ["7d", "30d", "90d", "12m"];
  /** The period of an address that names none. */
  period = "30d";
  readonly cards = new Map<string, Card>();
  /** Set by the root's configure(), so that a forgotten super.configure() is noticed. */
  reached = false;
  /** The plugin that adds cards in the hook `dashboards.cards`; undefined while the class declares its own. */
  addedBy: string | undefined = undefined;
  readonly #owners = new Map<string, string | undefined>();
  readonly context: DashboardContext;

  constructor(context: DashboardContext) {
    this.context = context;
  }

  configure(): void {
    this.reached = true;
  }
  /** Whether the person may see this dashboard at all; each card may require more. */
  authorize(): boolean | Promise<boolean> {
    return true;
  }

  /** @throws FW_DASHBOARD_REQUEST in configure() at boot, FW_DASHBOARD_SHARED in a card that is cached for everybody */
  get controller(): BaseController {
    return this.#controllerFor("the controller");
  }
  get currentUser(): unknown {
    return this.#controllerFor("currentUser").currentUser;
  }
  get currentScopedEntity(): Tenant | undefined {
    const { controller } = this.context;
    if (!controller) throw errors.FW_DASHBOARD_REQUEST(this.constructor.name, "currentScopedEntity");
    return controller.currentScopedEntity;
  }

  /**
   * A query of a model: within the tenant in a scoped portal, and of a resource of the portal within what its policy's
   * relationScope leaves, whatever is called on it later.
   * @throws FW_DASHBOARD_REQUEST, FW_DASHBOARD_SHARED
   */
  query<M extends BaseModel>(model: { new (): M }): Query<M> {
    const { controller, kernel, sharedCard } = this.context;
    if (!controller) throw errors.FW_DASHBOARD_REQUEST(this.constructor.name, "a query");
    const resources = kernel.service("resources");
    if (sharedCard !== undefined) this.#checkShared(sharedCard, model as unknown as ModelClass);
    return resources.visibleIn(controller, model, resources.database.replicaFor(controller.request));
  }

  /** A number, the change since the period before, and a line of its way. @throws FW_DASHBOARD_CARD */
  metric(key: string, options: MetricOptions<this>): void {
    this.#add("metric", key, options as never);
  }
  /** Numbers as a line, bars or a doughnut, and as a table. @throws FW_DASHBOARD_CARD */
  chart(key: string, options: ChartOptions<this>): void {
    this.#add("chart", key, options as never);
  }
  /** The first records of a query. @throws FW_DASHBOARD_CARD */
  list<M extends BaseModel>(key: string, options: ListOptions<M, this>): void {
    this.#add("list", key, options as never);
  }
  /** The first records of a query with some of their attributes. @throws FW_DASHBOARD_CARD */
  table<M extends BaseModel>(key: string, options: TableOptions<M, this>): void {
    this.#add("table", key, options as never);
  }
  /** Links. @throws FW_DASHBOARD_CARD */
  links(key: string, options: LinksOptions<this>): void {
    this.#add("links", key, options as never);
  }
  /** A template of the application. @throws FW_DASHBOARD_CARD */
  custom(key: string, options: CustomOptions<this>): void {
    this.#add("custom", key, options as never);
  }
  /** What waits for the person, as drafts of wizards; plugins add lines in the hook `dashboards.waiting`. */
  waiting(key = "waiting", options: CardOptions<this> = {}): void {
    const { controller, kernel } = this.context;
    const label = (controller ?? kernel.service("i18n")).t("dashboards.waiting");
    this.#add("waiting", key, { label, ...options } as never);
  }
  /** Figures, charts and the latest records of the portal's resources that the person may see, and what waits for them. */
  resourceCards(): void {
    addResourceCards(this);
  }

  #add<K extends CardKind>(kind: K, key: string, options: CardKinds<never>[K]): void {
    const { name } = this.constructor;
    const { addedBy } = this;
    checkCard(addedBy === undefined ? name : `the plugin "${addedBy}", on ${name},`, kind, key, options);
    if (this.cards.has(key)) throw this.#taken(key);
    this.#owners.set(key, addedBy);
    const { width = defaultWidth[kind] } = options;
    const label = textOf(this, `cards.${key}`, options.label ?? humanize(key));
    this.cards.set(key, { kind, key, label, width, options } as unknown as Card);
  }

  #taken(key: string): Error {
    const { name } = this.constructor;
    if (this.addedBy === undefined) return errors.FW_DASHBOARD_CARD(name, key, "another card has this key");
    const owner = this.#owners.get(key);
    return errors.FW_DASHBOARD_CARD_TAKEN(
      name,
      key,
      owner === undefined ? "the dashboard itself" : `"${owner}"`,
      this.addedBy,
    );
  }

  #controllerFor(what: string): BaseController {
    const { controller, sharedCard } = this.context;
    const { name } = this.constructor;
    if (!controller) throw errors.FW_DASHBOARD_REQUEST(name, what);
    if (sharedCard !== undefined) throw errors.FW_DASHBOARD_SHARED(name, sharedCard, `it reads ${what}`);
    return controller;
  }

  /** What is narrowed by person must not reach another: by a policy, or by a plugin other than that of tenants. @throws FW_DASHBOARD_SHARED */
  #checkShared(card: string, model: ModelClass): void {
    const { kernel, portal } = this.context;
    const { constant } = kernel.service("database").model(model);
    const policy = kernel.service("resources").registry.of(portal).get(constant)?.policyClass;
    const refuse = (what: string) => errors.FW_DASHBOARD_SHARED(this.constructor.name, card, what);
    if (policy && policy.prototype.relationScope !== Policy.prototype.relationScope)
      throw refuse(`${policy.name}.relationScope narrows ${constant} for each person`);
    const other = kernel.slotHooks("resources").scope.taps.find(({ name }) => name !== "scoping");
    if (other) throw refuse(`the plugin "${other.name}" narrows queries`);
  }
}

/** What people call a dashboard. */
export const labelOf = (dashboard: Dashboard): string =>
  textOf(dashboard, "label", dashboard.label ?? humanize(keyOf(dashboard.constructor.name)));

/** A text of a dashboard in the application's catalogue, `dashboard_texts.<dashboard>.<path>`, else the one in the code; at boot the latter. */
function textOf(dashboard: Dashboard, path: string, otherwise: string): string {
  const key = `dashboard_texts.${keyOf(dashboard.constructor.name)}.${path}`;
  return dashboard.context.controller?.request.tOr(key, otherwise) ?? otherwise;
}

/** `AdminPortal::MainDashboard` → `main` */
export const keyOf = (name: string): string => underscore(demodulize(name)).replace(/_dashboard$/, "") || "dashboard";
