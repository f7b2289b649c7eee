import { didYouMean, errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_DASHBOARD_CLASS: (given: string) =>
    `registerDashboard takes a class of dashboards, got ${given}. Write one: export default class MainDashboard extends Dashboard { … }, or generate it: fw generate fw:dashboard Main --dest=PORTAL.`,
  FW_DASHBOARD_PORTAL: (name: string) =>
    `registerDashboard(${name}) stands in the routes of the main application. Dashboards are pages of a portal: move it to the portal's config/routes.ts.`,
  FW_DASHBOARD_OPTION: (name: string, option: string, meant?: string) =>
    `registerDashboard(${name}, { ${option} }): there is no such option.${didYouMean(meant)} It takes at and as.`,
  FW_DASHBOARD_AT: (name: string, option: string, given: string) =>
    `registerDashboard(${name}, { ${option} }) got ${given}. ${option === "at" ? 'at is a path below the portal without parameters, as in "/" or "/reports"' : 'as is the name of its path helpers, as in "reports"'}.`,
  FW_DASHBOARD_PLACE: (name: string, at: string, taken: string) =>
    `${name} can't be at "${at}": ${taken}. Remove the other route, or give the dashboard another at.`,
  FW_DASHBOARD_CONTROLLER: (name: string, portal: string, path: string) =>
    `no controller of ${portal} can serve ${name}. Write packages/${path}/app/controllers/${path}/dashboards_controller.ts: export default class DashboardsController extends Controller(BaseController) {}, through the portal's concern.`,
  FW_DASHBOARD_SUPER: (name: string) =>
    `${name}.configure() does not call super.configure(). Make it the method's first line.`,
  FW_DASHBOARD_CARD: (name: string, card: string, problem: string) =>
    `${name} declares the card "${card}": ${problem}.`,
  FW_DASHBOARD_CARD_TAKEN: (name: string, card: string, owner: string, plugin: string) =>
    `${owner} and "${plugin}" both declare the card "${card}" of ${name}. Give one of them another key.`,
  FW_DASHBOARD_PERIOD: (name: string, given: string) =>
    `${name} declares the period ${given}. A period is a number of days, weeks or months, as in "30d", "12w" or "12m"; period is one of periods.`,
  FW_DASHBOARD_POLICY: (name: string, card: string, policy: string, meant?: string) =>
    `the card "${card}" of ${name} has policy: ${policy}.${didYouMean(meant)} Name a method of the dashboard, or { resource: Model, action: "index" } with a resource of this portal.`,
  FW_DASHBOARD_REQUEST: (name: string, what: string) =>
    `${name} reads ${what} in configure(), which runs at boot as well, without a request. Read it in the function of a card or in a method that a card's policy names.`,
  FW_DASHBOARD_SHARED: (name: string, card: string, what: string) =>
    `the card "${card}" of ${name} is cached for everybody (shared: true), and ${what}. Remove shared: each account then has its own.`,
  FW_DASHBOARD_LATE: (name: string, card: string, milliseconds: number) =>
    `the card "${card}" of ${name} took longer than its limit of ${milliseconds} ms. Make its query faster, cache it, or raise limit.`,
  FW_SUM_INEXACT: () =>
    "sumIn or sumBy: the sum has more digits than a number keeps, or than the database adds up exactly. Narrow the query, or compute it in SQL and return a custom card.",
  FW_DASHBOARD_FAILED: (name: string, card: string, message: string) =>
    `the card "${card}" of ${name} failed: ${message}`,
});
