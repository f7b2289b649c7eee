import { type BaseController, forbidden } from "framewright/host";
import { describe, type Kernel, suggest } from "framewright/kernel";
import { predicateOf } from "framewright/plugins/resources";
import type { Card } from "./cards/card.ts";
import type { DashboardMount } from "./contract.ts";
import type { Dashboard } from "./dashboard.ts";
import { errors } from "./errors.ts";
import { isPeriod, type Period, periodOf } from "./period.ts";

/** A dashboard for a request, without its cards: its label, and whom it admits. */
export function dashboardFor(mount: DashboardMount, controller: BaseController, sharedCard?: string): Dashboard {
  const { kernel } = controller.request;
  const shared = sharedCard === undefined ? {} : { sharedCard };
  return new mount.dashboard({ portal: mount.portal, kernel, controller, ...shared });
}

/** A dashboard for a request, with its cards. */
export function openDashboard(mount: DashboardMount, controller: BaseController, sharedCard?: string): Dashboard {
  const dashboard = dashboardFor(mount, controller, sharedCard);
  declareCards(dashboard, mount);
  return dashboard;
}

/** The cards of the class, then those of plugins. */
function declareCards(dashboard: Dashboard, mount: DashboardMount): void {
  dashboard.configure();
  const { cards } = dashboard.context.kernel.slotHooks("dashboards");
  if (cards.taps.length > 0) cards.call(dashboard, mount);
}

/** The same, for a person who may see it. @throws HttpError 403 */
export async function openAuthorized(mount: DashboardMount, controller: BaseController): Promise<Dashboard> {
  const dashboard = openDashboard(mount, controller);
  if ((await dashboard.authorize()) !== true) throw forbidden();
  return dashboard;
}

/** The period that the address names; the dashboard's own for none and for one that it does not have, so that old links work. */
export function periodFor(dashboard: Dashboard, { request }: BaseController): Period {
  const asked = request.params.string("period");
  return periodOf(asked !== undefined && dashboard.periods.includes(asked) ? asked : dashboard.period);
}

/** Declares the cards once at boot, so that a mistake is found there. @throws FW_DASHBOARD_SUPER, FW_DASHBOARD_PERIOD, FW_DASHBOARD_CARD, FW_DASHBOARD_POLICY */
export function checkDashboard(mount: DashboardMount, kernel: Kernel): void {
  const { dashboard: Class, portal } = mount;
  const dashboard = new Class({ portal, kernel, controller: undefined });
  declareCards(dashboard, mount);
  if (!dashboard.reached) throw errors.FW_DASHBOARD_SUPER(Class.name);
  const { periods, period } = dashboard;
  const wrong = [...periods, period].find((key) => !isPeriod(key));
  if (wrong !== undefined) throw errors.FW_DASHBOARD_PERIOD(Class.name, JSON.stringify(wrong));
  if (!periods.includes(period)) throw errors.FW_DASHBOARD_PERIOD(Class.name, JSON.stringify(period));
  for (const card of dashboard.cards.values()) checkPolicy(dashboard, card);
}

function checkPolicy(dashboard: Dashboard, { key, options: { policy } }: Card): void {
  if (policy === undefined || typeof policy === "function") return;
  const { name } = dashboard.constructor;
  const refuse = (given: string, meant?: string) => errors.FW_DASHBOARD_POLICY(name, key, given, meant);
  if (typeof policy === "string") {
    if (typeof (dashboard as unknown as Record<string, unknown>)[policy] === "function") return;
    throw refuse(JSON.stringify(policy), suggest(policy, Object.getOwnPropertyNames(dashboard.constructor.prototype)));
  }
  if (typeof policy !== "object" || policy === null || typeof policy.resource !== "function")
    throw refuse(describe(policy));
  const { kernel, portal } = dashboard.context;
  const { constant } = kernel.service("database").model(policy.resource);
  const found = kernel.service("resources").registry.of(portal).get(constant);
  const action = policy.action ?? "index";
  const predicate = predicateOf(action);
  if (found && typeof found.policyClass.prototype[predicate] === "function") return;
  throw refuse(
    `{ resource: ${constant}, action: "${action}" }, and ${found ? `${found.policyClass.name} has no ${predicate}()` : `${constant} is no resource of ${portal}`}`,
  );
}
