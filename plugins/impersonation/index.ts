import { join } from "node:path";
import {
  AuthenticatedBy,
  BaseController,
  type ControllerClass,
  concern,
  forbidden,
  openDigests,
  redirectReply,
  type SafeHtml,
} from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin } from "framewright/kernel";
import { addBanner, END_PATH } from "./banner.ts";
import { errors } from "./errors.ts";
import { BANNER, Impersonations } from "./impersonations.ts";
import { ImpersonationStore } from "./store.ts";

export { impersonateAction } from "./action.ts";

declare module "framewright/kernel" {
  interface Slots {
    impersonation: { service: Pick<Impersonations, "sidesOf" | "isOpen" | "begin" | "sweep"> };
  }
}

/** Options of `impersonation()`. */
export interface ImpersonationOptions {
  /** The account types whose accounts may be acted for, as `["user"]`; none by default. Leave out those of administrators. */
  of?: readonly string[];
  /** Minutes after which it ends, 30 by default; at most 240. */
  minutes?: number;
  /** Whether the person is mailed that somebody acts for them; false by default. */
  mail?: boolean;
}

const SWEEP_MS = 5 * 60_000;
const NOBODY = 'nobody can be acted for. Name the account types in plugins.config.ts: impersonation({ of: ["user"] })';
/** What ends it at once, of either account. */
const ENDING: ReadonlySet<string> = new Set([
  "logout",
  "locked",
  "closed",
  "sessions_revoked",
  "password_changed",
  "password_change_required",
  "login_changed",
  "compromise_reported",
]);
/** What nobody does for another person: files with many records leave the application. */
const REFUSED: ReadonlySet<string> = new Set(["export", "import"]);

/** Administrators act for a person, by the policy's `canImpersonate()`, for a short time; from a table of `fw:install impersonation`. */
export function impersonation({ of = [], minutes = 30, mail = false, ...rest }: ImpersonationOptions = {}): Plugin {
  const most = {
    expected: "a number of minutes from 1 to 240",
    check: (value: unknown) => Number(value) >= 1 && Number(value) <= 240,
  };
  const names = {
    expected: 'a list of account types, as ["user"]',
    check: (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === "string"),
  };
  checkOptions("impersonation", { of, minutes, mail, ...rest }, { of: names, minutes: most, mail: option.boolean });
  return definePlugin({
    name: "impersonation",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "assets", "sessions", "portals", "resources", "auth"],
    provides: "impersonation",
    apply({ services: { host, database, assets, auth }, hooks, settings }) {
      assets.add("impersonation.css", join(import.meta.dirname, "client/impersonation.css"));
      const store = new ImpersonationStore(database);
      const digests = openDigests(settings, "impersonation");
      const styles = () => assets.url("impersonation.css");
      const listed = new Set(of);
      const impersonations = new Impersonations({
        store,
        of: listed,
        types: auth.types,
        digests,
        minutes,
        mail,
        styles,
      });
      hooks.host.request.tapPromise("impersonation", (request) => impersonations.enter(request));
      hooks.host.reply.tap("impersonation", (reply, request) => {
        const banner = request.acting && (request.locals[BANNER] as SafeHtml | undefined);
        if (banner) addBanner(reply, request, banner);
      });
      hooks.resources.authorize.tapPromise("impersonation", async (action, controller) => {
        const { request, currentUser, record } = controller;
        if (REFUSED.has(action) && request.actorFor(currentUser)) throw forbidden();
        const sides = action === "impersonate" && record && impersonations.sidesOf(controller as never, record);
        if (sides && !(await impersonations.isOpen(sides.person))) throw forbidden(); // before the action's transaction
      });
      hooks.resources.actions.tapPromise("impersonation", async (shown, controller) => {
        const { record, request } = controller;
        if (!record || !controller.registration.definition.actions.has("impersonate")) return;
        const sides = request.acting ? undefined : impersonations.sidesOf(controller as never, record);
        if (!sides || !(await impersonations.isOpen(sides.person))) shown.hide("impersonate", record);
      });
      hooks.auth.account.tapPromise("impersonation", async ({ name, type, accountId }) => {
        if (ENDING.has(name) && accountId !== undefined) await impersonations.endAllOf(type, accountId);
      });
      hooks.kernel.drawRoutes.tap("impersonation", (routes) => {
        const controller = concern(BaseController, AuthenticatedBy("public")) as unknown as ControllerClass;
        const action = ({ request }: BaseController) =>
          request.acting?.leave() ?? Promise.resolve(redirectReply(`${host.settings.basePath}/`));
        routes.draw("POST", END_PATH, { controller, action, as: "impersonation_end" });
      });
      hooks.host.examine.tapPromise("impersonation", async (findings) => {
        const isThere = await store.isInstalled().catch(() => true); // the database reports itself
        const open = isThere ? await store.countOpen().catch(() => 0) : 0;
        const detail = !isThere ? errors.FW_IMPERSONATION_TABLE().message : of.length === 0 ? NOBODY : `open: ${open}`;
        findings.push({ what: "impersonation", ok: isThere && of.length > 0, detail });
      });
      hooks.kernel.ready.tap("impersonation", () => {
        for (const name of of) auth.types.get(name, "impersonation({ of })");
      });
      host.periodic.add(SWEEP_MS, () => impersonations.sweep());
      return impersonations;
    },
  });
}
